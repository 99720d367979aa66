// The record of a session in the database, beside its log.
import type { SessionAccess } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Worktree } from "./worktree.ts";

/** What the list shows of a session that is not open. It need not be exact: opening the session computes it again. */
export const SessionSummary = z.object({
  last_line: z.optional(z.string()),
  last_turn: z.optional(z.enum(["done", "failed", "stopped"])),
  interrupted: z.optional(z.boolean()),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

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
  /** At the end of the last turn. The log of an open session may be ahead. */
  seq: number;
  message_count: number;
  /** The last worker process whose end was not observed. */
  process: ProcessMark | null;
  /** Listed above the others. */
  pinned: boolean;
  /** Hidden from the list. */
  archived: boolean;
  /** When the session will be deleted unless a person restores it; null: it is not being deleted. */
  deletes_at: string | null;
  /** The agent's own id of the session. Some agents can resume by it. The store keeps all earlier ids too. */
  agent_session?: string | null;
  /** The directory that costs are attributed to, if the session works in a worktree of it. */
  project?: string;
  /** The worktree that was made for the session; absent: it has none, or an earlier version made it. */
  worktree?: Worktree;
  summary?: SessionSummary;
  /** What the last worker could do; absent: none has reported it. */
  capabilities?: readonly string[];
  /** The id of the person whose it is; absent: of the holder of the server's token. */
  owner?: string;
  /** Who else may do what; absent: it is private. */
  access?: SessionAccess;
}

/** Distinguishes a process from a later one with the same pid. */
export interface ProcessMark {
  pid: number;
  /** In the environment of the process and of all its descendants. */
  tag: string;
  /** The start time as the system reports it; null: the system does not. */
  started: string | null;
}
