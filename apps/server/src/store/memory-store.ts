// A store in memory: exact, and gone with the process.
import { addUsage, noUsage, type Usage } from "@patchbay/protocol";
import { chunkAfter, lastSeq } from "./log-chunk.ts";
import type {
  LedgerEntry,
  LedgerGroup,
  LedgerQuery,
  LedgerRow,
  LogChunk,
  SessionRecord,
  Store,
} from "./store.ts";

interface StoredSession {
  record: SessionRecord;
  chunks: LogChunk[];
  bytes: number;
  /** Frames up to here have been dropped. */
  floor: number;
}

export class MemoryStore implements Store {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #ledger: LedgerEntry[] = [];

  async createSession(record: SessionRecord): Promise<void> {
    this.#sessions.set(record.id, { record, chunks: [], bytes: 0, floor: 0 });
  }

  async updateSession(id: string, change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    const stored = this.#sessions.get(id);
    if (stored !== undefined) stored.record = { ...stored.record, ...change };
  }

  async deleteSession(id: string): Promise<void> {
    this.#sessions.delete(id);
  }

  async listSessions(): Promise<SessionRecord[]> {
    return [...this.#sessions.values()].map((stored) => stored.record);
  }

  async append(session: string, chunk: LogChunk, entries: readonly LedgerEntry[]): Promise<void> {
    this.#ledger.push(...entries);
    const stored = this.#sessions.get(session);
    if (stored === undefined) return; // deleted while its worker was still speaking
    stored.chunks.push(chunk);
    stored.bytes += chunk.bytes.length;
  }

  async read(session: string, after: number, maxBytes: number): Promise<LogChunk[]> {
    const chunks = this.#sessions.get(session)?.chunks ?? [];
    const found: LogChunk[] = [];
    let bytes = 0;
    for (let i = firstAfter(chunks, after); i < chunks.length && bytes < maxBytes; i++) {
      const stored = chunks[i];
      const chunk = stored === undefined ? null : chunkAfter(stored, after);
      if (chunk === null) continue;
      found.push(chunk);
      bytes += chunk.bytes.length;
    }
    return found;
  }

  async replayFloor(session: string): Promise<number> {
    return this.#sessions.get(session)?.floor ?? 0;
  }

  async settle(session: string, seq: number, keepBytes: number): Promise<void> {
    const stored = this.#sessions.get(session);
    if (stored === undefined) return;
    let drop = 0;
    for (const chunk of stored.chunks) {
      if (lastSeq(chunk) > seq || stored.bytes <= keepBytes) break;
      stored.bytes -= chunk.bytes.length;
      stored.floor = lastSeq(chunk);
      drop++;
    }
    stored.chunks.splice(0, drop);
  }

  async queryLedger({ from, to, groupBy }: LedgerQuery): Promise<LedgerRow[]> {
    const rows = new Map<string, LedgerRow>();
    const start = from === undefined ? -Infinity : Date.parse(from);
    const end = to === undefined ? Infinity : Date.parse(to);
    for (const entry of this.#ledger) {
      const time = Date.parse(entry.time);
      if (time < start || time >= end) continue;
      const keys = Object.fromEntries(groupBy.map((group) => [group, groupValue(entry, group)]));
      const name = JSON.stringify(keys);
      const usage = rows.get(name)?.usage ?? noUsage;
      rows.set(name, { keys, usage: addUsage(usage, entryUsage(entry)) });
    }
    return [...rows.values()];
  }

  async close(): Promise<void> {
    this.#sessions.clear();
  }
}

/** Binary search: the index of the first chunk that holds a frame after `after`. */
function firstAfter(chunks: readonly LogChunk[], after: number): number {
  let low = 0;
  let high = chunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const chunk = chunks[middle];
    if (chunk !== undefined && lastSeq(chunk) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

const groupValue = (entry: LedgerEntry, group: LedgerGroup): string =>
  group === "day" ? entry.time.slice(0, 10) : entry[group];

const entryUsage = (entry: LedgerEntry): Usage => ({
  input: entry.input,
  output: entry.output,
  cache_read: entry.cache_read,
  cache_write: entry.cache_write,
  cost_usd: entry.cost_micros / 1e6,
  ...(entry.priced ? {} : { unpriced: 1 }),
});
