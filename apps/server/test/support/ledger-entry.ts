// A ledger entry for tests that need spending at a time, and a home with such entries.
import type { LedgerEntry } from "../../src/store/ledger-types.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

let seq = 0;

/** `dollars` null: a call without a known price. */
export const spentAt = (
  time: number,
  dollars: number | null,
  change: Partial<LedgerEntry> = {},
): LedgerEntry => ({
  session: "past",
  seq: ++seq,
  time: new Date(time).toISOString(),
  turn: 1,
  person: "",
  cwd: "/code/api",
  branch: "",
  worker: "actor",
  provider: "p",
  model: "m",
  input: 10,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_nanos: Math.round((dollars ?? 0) * 1e9),
  price: dollars === null ? "none" : "worker",
  ...change,
});

export async function writeLedger(home: string, entries: readonly LedgerEntry[]): Promise<void> {
  const store = await SqliteStore.open({ home, segmentBytes: 1_000, onWriteError: () => {} });
  await store.record(entries);
  await store.close();
}
