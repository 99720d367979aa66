// The sandbox of a foreign worker: one home and one /tmp for the worker and for the commands that it runs through the server,
// as long as the worker runs. It is the mount plan of packages/sandbox, with the directories that the profile names.
import type { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import {
  type Bubblewrap,
  homeOf,
  makeScratch,
  privatePlaces,
  RedirectGuard,
  realPathIfThere,
  repositoryOf,
  type Sandbox,
  type Scratch,
  startInSandbox,
  unconfinable,
} from "@patchbay/sandbox";

export interface SandboxSettings {
  readonly sandbox: Sandbox;
  /** Directories of the agent's own files, and those that the operator adds. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** The server's own home; hidden from the worker. */
  readonly serverHome: string;
  /** The person's. */
  readonly home: string;
}

/** Why a worker cannot be started in a sandbox, for a person; undefined: it can. */
export function sandboxProblem({ sandbox }: SandboxSettings): string | undefined {
  if (sandbox.works) return undefined;
  return `The sandbox does not work: ${sandbox.problem}. ${sandbox.remedy}, or set "sandbox" to "off" for it in patchbay.config.json.`;
}

/** Why the sandbox cannot confine a worker to the directory, for a person; undefined: it can. */
export function directoryProblem({ home, serverHome }: SandboxSettings, cwd: string): string | undefined {
  const problem = unconfinable(realpathSync(cwd), homeOf({ home }), realpathSync(serverHome));
  return problem === null
    ? undefined
    : `The sandbox cannot protect this directory: ${problem}. Choose another directory for the session.`;
}

interface CommandStart {
  readonly command: readonly string[];
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** Identifies the process if it is left behind. */
  readonly tag: Readonly<Record<string, string>>;
  readonly stdin: "ignore" | "pipe";
}

export class WorkerSandbox {
  readonly #settings: SandboxSettings;
  readonly #bubblewrap: Bubblewrap;
  readonly #cwd: string;
  readonly #scratch: Scratch;
  readonly #guard: RedirectGuard | undefined;

  /** `planted` is called when a command has made a file through which git would run code; the file is removed. */
  constructor(settings: SandboxSettings, cwd: string, planted: (path: string) => void) {
    if (!settings.sandbox.works) throw new Error(sandboxProblem(settings));
    this.#settings = settings;
    this.#bubblewrap = settings.sandbox.bubblewrap;
    this.#cwd = realpathSync(cwd);
    this.#scratch = makeScratch(settings.serverHome);
    const repository = repositoryOf(this.#cwd, homeOf(settings));
    this.#guard = repository === undefined ? undefined : new RedirectGuard(repository.git, planted);
  }

  start({ command, environment, directory = this.#cwd, tag, stdin }: CommandStart): ChildProcess {
    const { writable, readable, serverHome, home } = this.#settings;
    const own = writable.flatMap(realPathIfThere);
    return startInSandbox({
      bubblewrap: this.#bubblewrap,
      plan: {
        cwd: this.#cwd,
        writable,
        readable,
        hidden: privatePlaces(homeOf({ home }), [serverHome]).filter((place) => !own.includes(place)),
        network: true, // it needs its model
        home,
        scratch: this.#scratch,
        environment,
      },
      command,
      directory,
      tag,
      stdin,
    });
  }

  /** Called when the worker and its commands have ended. */
  async remove(): Promise<void> {
    this.#guard?.[Symbol.dispose]();
    await this.#scratch.remove();
  }
}
