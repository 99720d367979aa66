// What sessions do to files: where each began, and worktrees of their own.
import { join } from "node:path";
import { StartingPoint } from "./starting-point.ts";
import { Worktrees } from "./worktrees.ts";

interface FilesOptions {
  /** Patchbay's home. */
  home: string;
  /** The server's environment, for git. */
  environment: Readonly<Record<string, string | undefined>>;
  failed(error: unknown, session: string): void;
}

export const worktreesIn = (home: string): string => join(home, "worktrees");

export class SessionFiles {
  readonly worktrees: Worktrees;
  readonly #options: FilesOptions;
  readonly #path: string;
  readonly #starts = new Map<string, StartingPoint>();

  constructor(options: FilesOptions) {
    this.#options = options;
    this.#path = options.environment["PATH"] ?? "/usr/bin:/bin";
    const home = options.environment["HOME"] ?? "/nonexistent";
    this.worktrees = new Worktrees({ root: worktreesIn(options.home), path: this.#path, home });
  }

  startOf(session: string): StartingPoint {
    const known = this.#starts.get(session);
    if (known !== undefined) return known;
    const start = new StartingPoint(join(this.#options.home, "starts", session), this.#path);
    this.#starts.set(session, start);
    return start;
  }

  /** A session begins: nobody waits for this, and what fails is said when somebody asks for changes. */
  began(session: string, cwd: string): void {
    this.startOf(session)
      .take(cwd)
      .catch((error: unknown) => this.#options.failed(error, session));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#starts.values()].map((start) => start.settled()));
  }

  async ended(session: string, cwd: string): Promise<void> {
    await this.startOf(session).forget();
    this.#starts.delete(session);
    const left = await this.worktrees.remove(session, cwd);
    if (left === "kept")
      this.#options.failed(new Error(`${cwd} holds changes that are not committed, and was kept`), session);
  }
}
