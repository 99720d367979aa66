// The sandbox of a foreign worker: one home and one /tmp for it and for the commands that it runs through us, as long as it
// lives. What is in it is the mount plan of packages/sandbox, with what the profile names for the agent's own files.
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
  /** Directories that the agent keeps its own files in, and what the operator adds. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  /** The server's own; it is not seen. */
  readonly serverHome: string;
  /** The person's. */
  readonly home: string;
}

/** Why a worker cannot be started in a sandbox, for a person; undefined: it can. */
export function sandboxProblem({ sandbox }: SandboxSettings): string | undefined {
  if (sandbox.works) return undefined;
  return `Its sandbox does not work: ${sandbox.problem}. ${sandbox.remedy}, or set "sandbox" to "off" for it in patchbay.config.json.`;
}

/** The same of the directory it would work in. */
export function directoryProblem({ home, serverHome }: SandboxSettings, cwd: string): string | undefined {
  const problem = unconfinable(realpathSync(cwd), homeOf({ home }), realpathSync(serverHome));
  return problem === null
    ? undefined
    : `The agent's sandbox cannot confine it there: ${problem}. Choose another directory for the session.`;
}

interface CommandStart {
  readonly command: readonly string[];
  /** All that it has in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** By which it is found if it is left behind. */
  readonly tag: Readonly<Record<string, string>>;
  readonly stdin: "ignore" | "pipe";
}

export class WorkerSandbox {
  readonly #settings: SandboxSettings;
  readonly #bubblewrap: Bubblewrap;
  readonly #cwd: string;
  readonly #scratch: Scratch;
  readonly #guard: RedirectGuard | undefined;

  /** `planted` is told when a command has made a file by which git would run code; it is removed. */
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

  /** When the worker and its commands have ended. */
  async remove(): Promise<void> {
    this.#guard?.[Symbol.dispose]();
    await this.#scratch.remove();
  }
}
