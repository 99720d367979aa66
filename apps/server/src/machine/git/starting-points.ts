// The starting points of sessions, to show their changes: one `StartingPoint` per session, made on first use.
import { join } from "node:path";
import { PatchbayError } from "@patchbay/protocol";
import { errorCode } from "../../diagnostics/error-code.ts";
import { type Git, GitError } from "./run-git.ts";
import { type Changes, StartingPoint } from "./starting-point.ts";

export class StartingPoints {
  readonly #root: string;
  readonly #git: Git;
  readonly #bySession = new Map<string, StartingPoint>();

  /** `root` is a directory of the server's own. */
  constructor(root: string, git: Git) {
    this.#root = root;
    this.#git = git;
  }

  begin(session: string, cwd: string): Promise<void> {
    return this.#of(session).take(cwd);
  }

  async list(session: string, cwd: string): Promise<Changes> {
    return this.#of(session).changes(cwd).catch(explain);
  }

  async diff(session: string, cwd: string, paths: readonly string[]): Promise<string | null> {
    return this.#of(session).diff(cwd, paths).catch(explain);
  }

  async forget(session: string): Promise<void> {
    await this.#of(session).forget();
    this.#bySession.delete(session);
  }

  /** Resolves when no work on any of them is running. */
  async settled(): Promise<void> {
    await Promise.all([...this.#bySession.values()].map((start) => start.settled()));
  }

  #of(session: string): StartingPoint {
    const known = this.#bySession.get(session);
    if (known !== undefined) return known;
    const start = new StartingPoint(join(this.#root, session), this.#git);
    this.#bySession.set(session, start);
    return start;
  }
}

/** Turns an error into a sentence for a person. */
function explain(error: unknown): never {
  if (error instanceof GitError)
    throw new PatchbayError("bad_directory", `Changes cannot be shown: ${error.message}.`);
  const code = errorCode(error); // of a full disk, for example
  if (code === undefined || error instanceof PatchbayError) throw error;
  throw new PatchbayError("bad_directory", `Changes cannot be shown: the server cannot keep them (${code}).`);
}
