// Model calls as rows: one entry of the ledger each, for JSON, JSON lines and CSV.
import { setImmediate as nextTick } from "node:timers/promises";
import { certaintyOf, type LedgerEntry, type TurnQuery } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { csvLine, dollarsCell, quoteCell } from "./csv.ts";

/** Read and written in one go: some milliseconds. */
const stepEntries = 1_000;

/** What a call cost, in nano-dollars; null: not known. A bound may be known where the cost is not. */
export function costOf(entry: LedgerEntry): { cost: number | null; low: number | null; high: number | null } {
  const { cost_nanos, low_nanos, high_nanos } = entry;
  switch (certaintyOf(entry)) {
    case "unknown":
      return { cost: null, low: low_nanos ?? null, high: high_nanos ?? null };
    case "estimated":
      return { cost: cost_nanos, low: low_nanos ?? cost_nanos, high: high_nanos ?? cost_nanos };
    case "exact":
      return { cost: cost_nanos, low: cost_nanos, high: cost_nanos };
  }
}

/** Which entry it is, wherever it is exported. */
export const callId = ({ session, seq }: LedgerEntry): string => `${session}/${seq}`;

/** Tokens that were written to a cache, by how long it keeps them. */
export function cacheWrites({ cache_write, cache_write_1h = 0 }: LedgerEntry) {
  const long = Math.min(cache_write_1h, cache_write);
  return { cache_write_5m: cache_write - long, cache_write_1h: long };
}

function callRow(entry: LedgerEntry) {
  const { cost, low, high } = costOf(entry);
  const dollars = (nanos: number | null): number | null => (nanos === null ? null : nanos / 1e9);
  return {
    id: callId(entry),
    time: entry.time,
    session: entry.session,
    turn: entry.turn,
    person: entry.person,
    caused_by: entry.caused_by ?? "",
    cwd: entry.cwd,
    branch: entry.branch,
    worker: entry.worker,
    provider: entry.provider,
    model: entry.model,
    input: entry.input,
    output: entry.output,
    cache_read: entry.cache_read,
    ...cacheWrites(entry),
    thinking: entry.thinking,
    fast: entry.fast ?? false,
    searches: entry.searches ?? 0,
    images: entry.images ?? 0,
    cost_usd: dollars(cost),
    list_usd: cost === null ? null : dollars(entry.list_nanos ?? cost),
    certainty: certaintyOf(entry),
    low_usd: dollars(low),
    high_usd: dollars(high),
    price: entry.price,
    origin: entry.origin ?? "session",
  };
}
type CallRow = ReturnType<typeof callRow>;

const columns: readonly (keyof CallRow)[] = [
  "id",
  "time",
  "session",
  "turn",
  "person",
  "caused_by",
  "cwd",
  "branch",
  "worker",
  "provider",
  "model",
  "input",
  "output",
  "cache_read",
  "cache_write_5m",
  "cache_write_1h",
  "thinking",
  "fast",
  "searches",
  "images",
  "cost_usd",
  "list_usd",
  "certainty",
  "low_usd",
  "high_usd",
  "price",
  "origin",
];

const money: ReadonlySet<string> = new Set(["cost_usd", "list_usd", "low_usd", "high_usd"]);

function cellOf(row: CallRow, name: keyof CallRow): string {
  const value = row[name];
  if (value === null) return ""; // not known, which is not 0
  if (typeof value === "number")
    return money.has(name) ? dollarsCell(Math.round(value * 1e9)) : String(value);
  return quoteCell(String(value));
}

const csvOf = (entry: LedgerEntry): string => {
  const row = callRow(entry);
  return csvLine(columns.map((name) => cellOf(row, name)));
};

export const callsCsv = (store: Store, query: TurnQuery): AsyncIterable<string> =>
  writeEntries(store, query, csvLine(columns), csvOf);

export const callsJsonLines = (store: Store, query: TurnQuery): AsyncIterable<string> =>
  writeEntries(store, query, "", (entry) => `${JSON.stringify(callRow(entry))}\n`);

/** The reader's pace is the pace of the export. Between two steps everything else of the server has its turn. */
export async function* writeEntries(
  store: Store,
  query: TurnQuery,
  head: string,
  write: (entry: LedgerEntry) => string,
): AsyncGenerator<string> {
  if (head !== "") yield head;
  let step = await store.ledgerEntries(query, undefined, stepEntries);
  for (;;) {
    const text = step.entries.map(write).join("");
    if (text !== "") yield text;
    if (step.next === undefined) return;
    await nextTick();
    step = await store.ledgerEntries(query, step.next, stepEntries);
  }
}

/** One page of rows. Filters may fit few entries, so it reads on until the page is full or the ledger ends. */
export async function readCallPage(
  store: Store,
  query: TurnQuery,
  after: Parameters<Store["ledgerEntries"]>[1],
  limit: number,
) {
  const found: LedgerEntry[] = [];
  let next = after;
  do {
    // One more than the page holds tells whether another page follows.
    const step = await store.ledgerEntries(query, next, limit + 1 - found.length);
    found.push(...step.entries);
    next = step.next;
    await nextTick();
  } while (next !== undefined && found.length <= limit);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (last !== undefined && found.length > limit)
    next = { time: Date.parse(last.time), session: last.session, seq: last.seq };
  return { rows: page.map(callRow), next };
}
