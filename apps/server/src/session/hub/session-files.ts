// What sessions do to files: where each began, and worktrees of their own.
import { join, relative, sep } from "node:path";
import type { Machine, Removal } from "../../machine/machine.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Worktree } from "../../store/worktree.ts";

interface FilesOptions {
  machine: Pick<Machine, "changes" | "worktrees">;
  failed(error: unknown, session: string): void;
}

/** Where a session works, and what it works for where that is another directory. */
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

  /** A session begins: no call waits for this, and what fails is said when a viewer asks for changes. */
  began(session: string, cwd: string): void {
    const { machine, failed } = this.#options;
    machine.changes.begin(session, cwd).catch((error: unknown) => failed(error, session));
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
    const worktree = await this.#options.machine.worktrees.make(session, cwd);
    return { cwd: join(worktree.path, worktree.prefix), project: project ?? cwd, worktree };
  }

  /** Of a directory in one of our worktrees: the one in the repository that corresponds to it. The records know it. */
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

  /** A session is deleted: what was kept for it goes, its worktree only if nothing in it would be lost. */
  async ended(record: SessionRecord): Promise<void> {
    const { machine, failed } = this.#options;
    await machine.changes.forget(record.id);
    try {
      const removal = await this.#removeWorktree(record);
      if (removal.kind === "kept") failed(new Error(`${record.cwd} was kept: ${removal.reason}`), record.id);
    } catch (error) {
      failed(error, record.id); // the session is gone all the same, and its list has to know
    }
  }

  async #removeWorktree({ id, cwd, project, worktree }: SessionRecord): Promise<Removal> {
    const { worktrees } = this.#options.machine;
    if (worktree !== undefined) return worktrees.remove(worktree);
    // One of an earlier version: it was called like its session, and its project says where it belongs.
    const path = join(worktrees.root, id);
    if (!`${cwd}${sep}`.startsWith(path + sep)) return { kind: "none" };
    if (project === undefined) return { kind: "kept", reason: "where it belongs was not remembered" };
    try {
      return await worktrees.remove(await worktrees.recall(id, project));
    } catch (error) {
      return { kind: "kept", reason: error instanceof Error ? error.message : String(error) };
    }
  }
}
