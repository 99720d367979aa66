// What is kept of a session beside its log.
import type { Worktree } from "./worktree.ts";

export interface SessionRecord {
  id: string;
  name: string;
  worker: string;
  dialect: string;
  cwd: string;
  provider: string;
  model: string;
  created_at: string;
  updated_at: string;
  /** As of the last turn's end; the log of an opened session knows better. */
  seq: number;
  message_count: number;
  /** The worker process that was last started and has not been seen to end. */
  process: ProcessMark | null;
  /** It stands above the others. */
  pinned: boolean;
  /** Out of sight, and kept. */
  archived: boolean;
  /** When it will be deleted, unless somebody wants it back; null: it stays. */
  deletes_at: string | null;
  /** What the agent itself calls it: with that, some can go on where they were. All that it was called is remembered. */
  agent_session?: string | null;
  /** What it is spent for, where that is another directory than its own: it works in a worktree of it. */
  project?: string;
  /** Where the worktree belongs that was made for it; absent: it has none, or an earlier version made it. */
  worktree?: Worktree;
}

/** Tells a process from a later one with the same number. */
export interface ProcessMark {
  pid: number;
  /** What it and everything it starts carries in its environment. */
  tag: string;
  /** When the system says it started; null where it does not say. */
  started: string | null;
}
