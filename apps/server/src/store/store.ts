// The store seam: sessions, their logs and the ledger. Written so that a database behind another
// process can implement it: everything is asynchronous, and a chunk is durable when `append` resolves.
import type { Usage } from "@patchbay/protocol";

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
}

/** `count` frames, the first numbered `seq`: whole lines, each ended by LF. */
export interface LogChunk {
  seq: number;
  count: number;
  bytes: Uint8Array;
}

/** One model call. Costs are whole micro-dollars; an unpriced call has no cost, which is not zero. */
export interface LedgerEntry {
  time: string;
  session: string;
  worker: string;
  provider: string;
  model: string;
  cwd: string;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  cost_micros: number;
  priced: boolean;
}

export const ledgerGroups = ["day", "session", "worker", "provider", "model", "cwd"] as const;
export type LedgerGroup = (typeof ledgerGroups)[number];

export interface LedgerQuery {
  /** Inclusive and exclusive, RFC 3339. */
  from?: string | undefined;
  to?: string | undefined;
  groupBy: readonly LedgerGroup[];
}

export interface LedgerRow {
  keys: Partial<Record<LedgerGroup, string>>;
  usage: Usage;
}

export interface Store {
  createSession(record: SessionRecord): Promise<void>;
  updateSession(id: string, change: Partial<Omit<SessionRecord, "id">>): Promise<void>;
  /** The log goes with it; its ledger entries stay. */
  deleteSession(id: string): Promise<void>;
  listSessions(): Promise<SessionRecord[]>;

  /** Frames and the ledger entries they caused become durable together, or not at all. */
  append(session: string, chunk: LogChunk, entries: readonly LedgerEntry[]): Promise<void>;
  /** Frames after `after`, in order, at least one chunk if there is any, about `maxBytes` in all. */
  read(session: string, after: number, maxBytes: number): Promise<LogChunk[]>;
  /** The lowest number from which `read` still has everything. */
  replayFloor(session: string): Promise<number>;
  /** Frames up to `seq` belong to finished turns: all but the newest `keepBytes` may go. */
  settle(session: string, seq: number, keepBytes: number): Promise<void>;

  queryLedger(query: LedgerQuery): Promise<LedgerRow[]>;
  close(): Promise<void>;
}
