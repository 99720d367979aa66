// The jail: what the agent's tools can reach. Off, on (a person can turn it off), or enforced by whoever
// runs the server. Files are fenced in by us, the shell by bubblewrap where it works.
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import type { JailMode } from "@patchbay/protocol";
import type { Agent } from "../agent/agent.ts";
import { outputsIn } from "../tools/kept-outputs.ts";
import { type Fence, isWithin } from "./fence.ts";
import { hiddenPlaces } from "./hidden.ts";
import { type SandboxPlan, sandboxed, sandboxProblem } from "./sandbox.ts";
import { makeScratch } from "./scratch.ts";

/** What confines the tools of one call. */
export interface Confinement {
  readonly read: Fence;
  readonly write: Fence;
  /** Where a path really is: /tmp is the agent's own. */
  locate(path: string): string;
  /** The command as it must be run. Rejects, in words, when it must not be. */
  wrap(command: readonly string[]): Promise<readonly string[]>;
}

/** Whatever directory was chosen to work in, these are no files. */
const neverFiles = ["/proc", "/sys", "/dev"];

export class Jail {
  readonly #agent: Agent;
  #mode: JailMode;
  #scratch: string | undefined;
  #problem: Promise<string | null> | undefined;
  #warned = false;

  constructor(agent: Agent) {
    this.#agent = agent;
    this.#mode = agent.flags.jail;
    agent.settings.add("jail", {
      get: () => this.#mode,
      restore: (value) => {
        if (this.#mode !== "enforced" && (value === "on" || value === "off")) this.#mode = value;
      },
    });
    agent.promptSources.push({ section: async () => (this.#mode === "off" ? undefined : advice) });
  }

  get mode(): JailMode {
    return this.#mode;
  }

  /** What is wrong with the wish, or null. */
  choose(mode: "on" | "off"): string | null {
    if (this.#mode === "enforced")
      return mode === "on"
        ? null
        : "the jail is enforced by the server's configuration and cannot be turned off here";
    this.#mode = mode;
    this.#agent.settings.changed();
    return null;
  }

  /** Null: nothing confines. */
  confinement(): Confinement | null {
    if (this.#mode === "off") return null;
    const plan = this.#plan();
    const { cwd, scratch, outputs } = plan;
    const hidden = [...plan.hidden.map(({ path }) => path), ...neverFiles];
    return {
      read: { inside: [cwd, scratch, outputs], hidden },
      write: { inside: [cwd, scratch], hidden },
      locate: (path) =>
        isWithin(path, "/tmp") && ![cwd, outputs].some((directory) => isWithin(path, directory))
          ? `${scratch}${path.slice("/tmp".length)}`
          : path,
      wrap: (command) => this.#wrap(plan, command),
    };
  }

  close(): void {
    if (this.#scratch !== undefined) rmSync(this.#scratch, { recursive: true, force: true });
  }

  #plan(): SandboxPlan {
    const { home, config, conversation, flags } = this.#agent;
    mkdirSync(outputsIn(home), { recursive: true, mode: 0o700 });
    this.#scratch ??= realpathSync(makeScratch(home));
    return {
      cwd: realpathSync(conversation.cwd),
      scratch: this.#scratch,
      outputs: realpathSync(outputsIn(home)),
      hidden: hiddenPlaces(config.shellEnv["HOME"] ?? home, home),
      network: flags.jailNetwork,
    };
  }

  async #wrap(plan: SandboxPlan, command: readonly string[]): Promise<readonly string[]> {
    this.#problem ??= sandboxProblem(plan, this.#agent.config.shellEnv);
    const problem = await this.#problem;
    if (problem === null) return sandboxed(plan, command);
    if (this.#mode === "enforced")
      throw new Error(
        `the shell is off: the jail is enforced, and ${problem}. Install it (Debian: apt-get install bubblewrap) or allow user namespaces`,
      );
    if (!this.#warned) {
      this.#warned = true;
      const message = `Commands are not confined: ${problem}. Install it (Debian: apt-get install bubblewrap) for the jail to hold the shell too.`;
      this.#agent.ui.tell("notify", { message, notifyType: "warning", extension: "jail" });
    }
    return command;
  }
}

const advice = `You work in a jail: files can be read and changed only in the working directory and in /tmp. What lies outside cannot be changed by commands either, and keys are out of sight. Do not try to get around it; say what you would need.`;
