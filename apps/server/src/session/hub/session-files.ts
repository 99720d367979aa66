// The files of sessions: the starting point that changes are compared with, and worktrees of their own.
import { join, relative, sep } from "node:path";
import type { Machine, Removal } from "../../machine/machine.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Worktree } from "../../store/worktree.ts";

interface FilesOptions {
  machine: Pick<Machine, "changes" | "worktrees">;
  failed(error: unknown, session: string): void;
}

/** The directory of a session, and its project where that is another directory. */
interface WorkPlace {
  cwd: string;
  project?: string;
  worktree?: Worktree;
}

export class SessionFiles {
  readonly #options: FilesOptions;

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /** Records the starting point of a new session. No call waits for it; a failure shows when a viewer asks for changes. */
  began(session: string, cwd: string): void {
    const { machine, failed } = this.#options;
    machine.changes.begin(session, cwd).catch((error: unknown) => failed(error, session));
  }

  /** Where a session requested in `cwd` works; `own`: in a worktree of its own, which is made. */
  async place(
    session: string,
    cwd: string,
    own: boolean,
    records: readonly SessionRecord[],
  ): Promise<WorkPlace> {
    const project = this.projectOf(cwd, records) ?? (await this.findProject(cwd));
    if (!own) return { cwd, ...(project === undefined ? {} : { project }) };
    const worktree = await this.#options.machine.worktrees.make(session, cwd);
    return { cwd: join(worktree.path, worktree.prefix), project: project ?? cwd, worktree };
  }

  /** For a directory in a worktree of the server: the corresponding directory of the repository, found through the records. */
  projectOf(cwd: string, records: readonly SessionRecord[]): string | undefined {
    const { root } = this.#options.machine.worktrees;
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

  /** For a directory in a worktree that a person made: the corresponding directory of its repository. */
  async findProject(cwd: string): Promise<string | undefined> {
    const { worktrees } = this.#options.machine;
    // Of the server's own, only a record tells: what a worktree says of itself must not decide about its removal.
    return cwd.startsWith(worktrees.root + sep) ? undefined : worktrees.mainDirectory(cwd);
  }

  /** A session was deleted: removes its starting point, and its worktree if no work would be lost. */
  async ended(record: SessionRecord): Promise<void> {
    const { machine, failed } = this.#options;
    await machine.changes.forget(record.id);
    try {
      const removal = await this.#removeWorktree(record);
      if (removal.kind === "kept") failed(new Error(`${record.cwd} was kept: ${removal.reason}`), record.id);
    } catch (error) {
      failed(error, record.id); // the session is deleted anyway, and the list must be updated
    }
  }

  async #removeWorktree({ id, cwd, project, worktree }: SessionRecord): Promise<Removal> {
    const { worktrees } = this.#options.machine;
    if (worktree !== undefined) return worktrees.remove(worktree);
    // Earlier versions named the worktree after the session; the record's project leads to the repository.
    const path = join(worktrees.root, id);
    if (!`${cwd}${sep}`.startsWith(path + sep)) return { kind: "none" };
    if (project === undefined) return { kind: "kept", reason: "where it belongs was not remembered" };
    try {
      return await worktrees.remove(await worktrees.findLegacy(id, project));
    } catch (error) {
      return { kind: "kept", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}
