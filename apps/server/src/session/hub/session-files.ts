// What sessions do to files: where each began, and worktrees of their own.
import { realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Git } from "../../machine/git/run-git.ts";
import { StartingPoint } from "../../machine/git/starting-point.ts";
import type { Worktree } from "../../machine/git/worktree.ts";
import { type Removal, Worktrees } from "../../machine/git/worktrees.ts";
import type { SessionRecord } from "../../store/session-record.ts";

interface FilesOptions {
  /** Patchbay's home. */
  home: string;
  git: Git;
  failed(error: unknown, session?: string): void;
}

/** Where a session works, and what it works for where that is another directory. */
interface WorkPlace {
  cwd: string;
  project?: string;
  worktree?: Worktree;
}

export const worktreesIn = (home: string): string => join(home, "worktrees");

/** Repositories of ours that are needed for a moment. */
export const workIn = (home: string, purpose: "paths" | "worktrees"): string => join(home, "git", purpose);

export class SessionFiles {
  readonly #options: FilesOptions;
  readonly #worktrees: Worktrees;
  readonly #starts = new Map<string, StartingPoint>();
  readonly #finished: Promise<void>;

  constructor(options: FilesOptions) {
    const { home, git } = options;
    this.#options = options;
    this.#worktrees = new Worktrees({ git, root: worktreesIn(home), work: workIn(home, "worktrees") });
    this.#finished = this.#worktrees.finishRemovals().catch((error: unknown) => options.failed(error));
  }

  startOf(session: string): StartingPoint {
    const known = this.#starts.get(session);
    if (known !== undefined) return known;
    const { home, git } = this.#options;
    const start = new StartingPoint(join(home, "starts", session), git);
    this.#starts.set(session, start);
    return start;
  }

  /** A session begins: no call waits for this, and what fails is said when a viewer asks for changes. */
  began(session: string, cwd: string): void {
    this.startOf(session)
      .take(cwd)
      .catch((error: unknown) => this.#options.failed(error, session));
  }

  /** Of a session that was asked for in `cwd`; `own`: with a worktree of its own. */
  async place(
    session: string,
    cwd: string,
    own: boolean,
    records: readonly SessionRecord[],
  ): Promise<WorkPlace> {
    const project = this.projectOf(cwd, records);
    if (!own) return { cwd, ...(project === undefined ? {} : { project }) };
    const worktree = await this.#worktrees.make(session, cwd);
    return { cwd: join(worktree.path, worktree.prefix), project: project ?? cwd, worktree };
  }

  /** Of a directory in one of our worktrees: the one in the repository that corresponds to it. The records know it. */
  projectOf(cwd: string, records: readonly SessionRecord[]): string | undefined {
    const root = realRoot(this.#options.home);
    if (!cwd.startsWith(root + sep)) return undefined;
    const path = join(root, relative(root, cwd).split(sep)[0] ?? "");
    for (const record of records) {
      const prefix = relative(path, record.cwd);
      if (record.project === undefined || `${prefix}${sep}`.startsWith(`..${sep}`)) continue;
      if (prefix === "") return join(record.project, relative(path, cwd));
      if (record.project.endsWith(sep + prefix))
        return join(record.project.slice(0, -prefix.length - 1), relative(path, cwd));
    }
    return undefined;
  }

  /** A session is deleted: what was kept for it goes, its worktree only if nothing in it would be lost. */
  async ended(record: SessionRecord): Promise<void> {
    await this.startOf(record.id).forget();
    this.#starts.delete(record.id);
    try {
      const removal = await this.#removeWorktree(record);
      if (removal.kind === "kept")
        this.#options.failed(new Error(`${record.cwd} was kept: ${removal.reason}`), record.id);
    } catch (error) {
      this.#options.failed(error, record.id); // the session is gone all the same, and its list has to know
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#finished, ...[...this.#starts.values()].map((start) => start.settled())]);
  }

  async #removeWorktree({ id, cwd, project, worktree }: SessionRecord): Promise<Removal> {
    if (worktree !== undefined) return this.#worktrees.remove(worktree);
    // One of an earlier version: it was called like its session, and its project says where it belongs.
    const path = join(realRoot(this.#options.home), id);
    if (!`${cwd}${sep}`.startsWith(path + sep)) return { kind: "none" };
    if (project === undefined) return { kind: "kept", reason: "where it belongs was not remembered" };
    try {
      return await this.#worktrees.remove(await this.#worktrees.recall(id, project));
    } catch (error) {
      return { kind: "kept", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}

/** Sessions are known by the real path of their directory. */
function realRoot(home: string): string {
  const root = worktreesIn(home);
  try {
    return realpathSync(root);
  } catch {
    return root; // no worktree was made yet
  }
}
