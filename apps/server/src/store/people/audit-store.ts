// Where the audit is kept. Entries are added at the end and removed from the beginning, when they are older than the retention time.
import type { AuditEntry } from "@patchbay/protocol";

export interface AuditQuery {
  person?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  /** Milliseconds, inclusive and exclusive. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Where the chain of hashes begins: the entry before the oldest that is kept. */
export interface AuditAnchor {
  seq: number;
  hash: string;
}

export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  anchor(): Promise<AuditAnchor>;
  /** Undefined: there is no entry. */
  newest(): Promise<AuditEntry | undefined>;
  /** Entries with numbers above `after`, oldest first. */
  read(after: number, limit: number): Promise<AuditEntry[]>;
  /** Entries with numbers below `before`, newest first. */
  list(query: AuditQuery, before: number, limit: number): Promise<AuditEntry[]>;
  /** Removes entries from the beginning, up to and including this one. */
  removeUpTo(anchor: AuditAnchor): Promise<void>;
}
