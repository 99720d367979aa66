// The jail: what the agent's tools can reach. Off, on (a person can turn it off), or enforced by the operator of the
// server. Files are fenced in by us, commands by the sandbox. Where that does not work, commands are not run unnoticed:
// enforced they are refused, else the person is asked about each (approvals/concerns.ts).
import type { ChildProcess } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { JailMode } from "@patchbay/protocol";
import {
  cleanScratch,
  executedLater,
  type Fence,
  homeOf,
  isWithin,
  makeScratch,
  privatePlaces,
  RedirectGuard,
  realPathIfThere,
  repositoryOf,
  type SandboxPlan,
  type Scratch,
  startInSandbox,
  unconfinable,
  type WriteFence,
} from "@patchbay/sandbox";
import type { SettingsRegistry } from "../output/settings-registry.ts";
import type { UiChannel } from "../output/ui-channel.ts";
import { readSandboxFlag, type SandboxFlag } from "./sandbox-flag.ts";

/** What confines the tools of one call. */
export interface Confinement {
  readonly read: Fence;
  readonly write: WriteFence;
  /** Where a path really is: /tmp is the agent's own. */
  locate(path: string): string;
  /** Starts a command in the sandbox, with both outputs joined; null where there is none. Rejects when it must not be run. */
  start(command: readonly string[]): Promise<ChildProcess | null>;
}

/** Hidden even if the working directory contains them: these are no files. */
const neverFiles = ["/proc", "/sys", "/dev"];

const outside = "is outside the working directory. The sandbox allows only the working directory and /tmp";

interface JailOptions {
  readonly mode: JailMode;
  /** Whether commands in the jail reach the network. */
  readonly network: boolean;
  /** The value of `--sandbox`. */
  readonly sandbox: string | undefined;
  readonly session: { readonly cwd: string };
  /** Patchbay's home directory; it may not exist. */
  readonly home: string;
  /** The directory in which outputs that were too long to show are kept. */
  readonly outputs: string;
  readonly shellEnv: Readonly<Record<string, string>>;
  readonly settings: SettingsRegistry;
  readonly ui: UiChannel;
}

export class Jail {
  readonly #options: JailOptions;
  #mode: JailMode;
  #scratch: Scratch | undefined;
  #cleaned: Promise<void> | undefined;
  readonly #flag: SandboxFlag;
  /** The private places as of the last command, so that reading tools need not search for them again. */
  #hidden: readonly string[] | undefined;
  #warned = false;
  /** The problem in the last `settings` frame; undefined: none was written yet. */
  #reportedProblem: string | null | undefined;

  constructor(options: JailOptions) {
    this.#options = options;
    this.#mode = options.mode;
    this.#flag = readSandboxFlag(options.sandbox, options.shellEnv["PATH"] ?? "");
    options.settings.add("jail", {
      get: () => this.#mode,
      restore: (value) => {
        if (this.#mode !== "enforced" && (value === "on" || value === "off")) this.#mode = value;
      },
    });
    // Not restored: the next worker checks itself whether the sandbox works.
    options.settings.add("jail_problem", {
      get: () => {
        this.#reportedProblem = this.#knownProblem();
        return this.#reportedProblem ?? undefined;
      },
      restore: () => {},
    });
  }

  /** The section of the system prompt that describes the sandbox. */
  async section(): Promise<string | undefined> {
    return this.#mode === "off" ? undefined : advice;
  }

  get mode(): JailMode {
    return this.#mode;
  }

  /** Why the mode cannot be set, or null. */
  async choose(mode: "on" | "off"): Promise<string | null> {
    if (this.#mode === "enforced")
      return mode === "on"
        ? null
        : "the sandbox is enforced by the server's configuration and cannot be turned off here";
    const problem = mode === "on" ? await this.#problem() : null;
    if (problem !== null) return `the sandbox cannot be turned on: ${problem}`;
    this.#mode = mode;
    this.#options.settings.changed();
    return null;
  }

  /** Why commands are not confined though they should be, for a person; null: they are, or need not be. */
  async unconfinedReason(): Promise<string | null> {
    if (this.#mode === "off") return null;
    const problem = await this.#problem();
    if (this.#reportedProblem !== undefined && this.#reportedProblem !== problem)
      this.#options.settings.changed();
    return problem;
  }

  /** Null: nothing confines. */
  confinement(): Confinement | null {
    if (this.#mode === "off") return null;
    const { writable, readable } = this.#flag;
    const { cwd, outputs, scratch, home } = this.#places();
    const hidden = [...(this.#hidden ?? this.#findHidden(home)), ...neverFiles];
    const roots = [cwd, ...writable.flatMap(realPathIfThere)];
    const inside = [...roots, scratch.tmp];
    return {
      read: { inside: [...inside, outputs, ...readable.flatMap(realPathIfThere)], hidden, outside },
      write: {
        inside,
        hidden,
        outside,
        refusal: (path) => {
          const why = executedLater(path, roots, home);
          return why === null ? null : `cannot be changed in the jail: ${why}, outside of it`;
        },
      },
      locate: (path) =>
        isWithin(path, "/tmp") && ![...roots, outputs].some((directory) => isWithin(path, directory))
          ? join(scratch.tmp, path.slice("/tmp".length))
          : path,
      start: (command) => this.#start(command),
    };
  }

  async close(): Promise<void> {
    await this.#scratch?.remove();
    await this.#cleaned;
  }

  /** The person's home: the real one of those who run the server. */
  get home(): string {
    return homeOf({ home: this.#options.shellEnv["HOME"] ?? "" });
  }

  #places(): { cwd: string; outputs: string; scratch: Scratch; home: string } {
    const { home, outputs, session } = this.#options;
    mkdirSync(outputs, { recursive: true, mode: 0o700 });
    this.#cleaned ??= cleanScratch(home);
    this.#scratch ??= makeScratch(home);
    return {
      cwd: realpathSync(session.cwd),
      outputs: realpathSync(outputs),
      scratch: this.#scratch,
      home: this.home,
    };
  }

  #findHidden(home: string): readonly string[] {
    this.#hidden = privatePlaces(home, [this.#options.home]);
    return this.#hidden;
  }

  /** Why commands cannot be confined, as far as that is known without trying. */
  #knownProblem(): string | null {
    const [cwd, serverHome] = [this.#options.session.cwd, this.#options.home].map(
      (path) => realPathIfThere(path)[0] ?? path,
    );
    return unconfinable(cwd ?? "/", this.home, serverHome ?? "/") ?? this.#flag.knownProblem();
  }

  async #problem(): Promise<string | null> {
    const known = this.#knownProblem();
    if (known !== null) return known;
    const sandbox = await this.#flag.find();
    return sandbox.works ? null : `${sandbox.problem}. ${sandbox.remedy}`;
  }

  async #start(command: readonly string[]): Promise<ChildProcess | null> {
    const problem = await this.#problem();
    const sandbox = await this.#flag.find();
    if (problem === null && sandbox.works) {
      const tag = this.#options.shellEnv["PATCHBAY_WORKER"];
      const child = startInSandbox({
        bubblewrap: sandbox.bubblewrap,
        plan: this.#plan(),
        command,
        tag: tag === undefined ? {} : { PATCHBAY_WORKER: tag },
        stdin: "ignore",
        joined: true,
      });
      this.#guardRepository(child);
      return child;
    }
    if (this.#mode === "enforced")
      throw new Error(`the shell is off: the sandbox is enforced, and ${problem ?? "there is no sandbox"}`);
    this.#warn(problem ?? "there is no sandbox");
    return null;
  }

  #plan(): SandboxPlan {
    const { network, shellEnv } = this.#options;
    const { cwd, outputs, scratch, home } = this.#places();
    const { writable, readable } = this.#flag;
    return {
      cwd,
      writable,
      readable: [...readable, outputs],
      hidden: this.#findHidden(home),
      network,
      home: shellEnv["HOME"] ?? "",
      scratch,
      environment: shellEnv,
    };
  }

  #warn(problem: string): void {
    if (this.#warned) return;
    this.#warned = true;
    const message = `Commands are not confined: ${problem}.`;
    this.#options.ui.send("notify", { message, notifyType: "warning", extension: "sandbox" });
  }

  #guardRepository(child: ChildProcess): void {
    const repository = repositoryOf(realpathSync(this.#options.session.cwd), this.home);
    if (repository === undefined) return;
    const guard = new RedirectGuard(repository.git, (path) => {
      const message = `A command made ${path}, which would make git run the agent's code. It was removed.`;
      this.#options.ui.send("notify", { message, notifyType: "error", extension: "sandbox" });
    });
    child.once("exit", () => guard[Symbol.dispose]());
    child.once("error", () => guard[Symbol.dispose]());
  }
}

const advice = `You work in a sandbox: files can be read and changed only in the working directory and in /tmp. Commands see the system read-only, and a home directory of their own without the person's keys and files. Files that other programs run later (git hooks and config, settings of editors and agents) cannot be changed by commands. Do not try to get around it; say what you would need.`;
