// The chain of hashes of the audit: each entry's hash covers its content and the hash of the entry before it. Changing, removing or
// inserting an entry breaks the chain at that place; somebody who can write the database could only rewrite everything after it.
import { createHash } from "node:crypto";
import type { AuditEntry } from "@patchbay/protocol";
import type { AuditAnchor, AuditStore } from "../../store/people/audit-store.ts";

export type UnhashedEntry = Omit<AuditEntry, "hash">;

/** As an array, so that the text does not depend on the order of names; base64url. */
export function entryHash(entry: UnhashedEntry, previous: string): string {
  const { seq, time, person, author, via, address, action, target, result, detail } = entry;
  const content = [seq, time, person, author, via, address, action, target, result, JSON.stringify(detail)];
  return createHash("sha256").update(previous).update(JSON.stringify(content)).digest("base64url");
}

export interface AuditCheck {
  /** How many entries are as they were written. */
  entries: number;
  /** The newest of them. Note it elsewhere: entries that are cut off at the end leave a chain that is whole. */
  newest: AuditAnchor;
  /** The first entry that is not; null: all are. */
  broken: { seq: number; problem: string } | null;
}

const batch = 1_000;

export async function checkChain(store: Pick<AuditStore, "anchor" | "read">): Promise<AuditCheck> {
  let newest = await store.anchor();
  let entries = 0;
  for (;;) {
    const read = await store.read(newest.seq, batch);
    for (const entry of read) {
      const problem = problemOf(entry, newest);
      if (problem !== null) return { entries, newest, broken: { seq: entry.seq, problem } };
      newest = { seq: entry.seq, hash: entry.hash };
      entries++;
    }
    if (read.length < batch) return { entries, newest, broken: null };
  }
}

function problemOf(entry: AuditEntry, before: AuditAnchor): string | null {
  if (entry.seq !== before.seq + 1) return `entry ${before.seq + 1} is missing`;
  return entry.hash === entryHash(entry, before.hash) ? null : "its content is not what was written";
}
