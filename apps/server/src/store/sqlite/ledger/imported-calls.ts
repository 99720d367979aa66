// Compares imported calls with the ledger. The same call is in several files if a session was forked or copied, several times in one
// file if it was written while it streamed, and in a log if this server relayed it.

import type { ImportedCall, ImportOutcome } from "../../imported.ts";
import { certaintyOf, type LedgerEntry } from "../../ledger-types.ts";
import type { Database } from "../database/database.ts";
import { toEntry } from "./ledger-row.ts";

/** The parameters of one query. */
const callsPerQuery = 500;

/** The entries of these calls, imported or not. */
export async function entriesOfCalls(db: Database, calls: readonly string[]): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  const wanted = [...new Set(calls)];
  for (let at = 0; at < wanted.length; at += callsPerQuery) {
    const some = wanted.slice(at, at + callsPerQuery);
    const rows = await db.query.selectFrom("ledger").selectAll().where("call", "in", some).execute();
    found.push(...rows.map(toEntry));
  }
  return found;
}

/** The same call is written to the log and to the program's file within this time. */
const sameMomentMillis = 10_000;

/** Entries of logs of earlier versions, which had no id for some calls: told by their time and their figures, as if they had the id. */
export async function unnamedEntries(db: Database, calls: readonly ImportedCall[]): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  for (const { call, maybeUnnamed, time, input, output, cache_read, cache_write } of calls) {
    if (maybeUnnamed !== true) continue;
    const at = Date.parse(time);
    const row = await db.query
      .selectFrom("ledger")
      .selectAll()
      .where("time", ">=", at - sameMomentMillis)
      .where("time", "<=", at + sameMomentMillis)
      .where("origin", "=", "session")
      .where("call", "is", null)
      .where(({ and }) => and({ input, output, cache_read, cache_write }))
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) found.push({ ...toEntry(row), call });
  }
  return found;
}

export function sortImported(
  given: readonly ImportedCall[],
  entries: readonly LedgerEntry[],
): { outcome: ImportOutcome; add: ImportedCall[]; settled: LedgerEntry[]; remove: LedgerEntry[] } {
  const known = new Map<string, LedgerEntry[]>();
  for (const entry of entries) known.set(entry.call ?? "", [...(known.get(entry.call ?? "") ?? []), entry]);
  const renamed = new Map(
    given.flatMap(({ call, also = [] }) => also.map((other) => [other, call] as const)),
  );
  const fullest = new Map<string, ImportedCall>();
  for (const one of given) {
    const call = renamed.get(one.call) ?? one.call;
    const other = fullest.get(call);
    const also = [...(one.also ?? []), ...(other?.also ?? []), one.call];
    const fuller = other === undefined || isMoreComplete(one, other) ? one : other;
    fullest.set(call, { ...fuller, call, also });
  }
  const outcome: ImportOutcome = { added: [], changed: [], settled: [], known: 0 };
  const settled: LedgerEntry[] = [];
  const add: ImportedCall[] = [];
  const remove: LedgerEntry[] = [];
  for (const { also = [], maybeUnnamed: _unnamed, ...call } of fullest.values()) {
    const before = [...new Set([call.call, ...also])].flatMap((id) => known.get(id) ?? []);
    const [newest] = before;
    if (newest === undefined) {
      outcome.added.push(call);
      add.push(call);
      continue;
    }
    const imported = before.filter(({ origin }) => origin === "import");
    // An entry from a log has precedence over one from a file.
    const isInLog = imported.length < before.length;
    if (isInLog) {
      const estimate = before.find((entry) => isLaterTruth(call, entry));
      if (estimate === undefined) outcome.known++;
      else {
        const { cost_nanos, price, list_nanos } = call;
        outcome.settled.push({ entry: estimate, cost_nanos, price, list_nanos, certainty: "exact" });
        settled.push(settle(estimate, call));
        remove.push(estimate);
      }
      continue;
    }
    if (before.length === 1 && newest.call === call.call && !isMoreComplete(call, newest)) {
      outcome.known++;
      continue;
    }
    const best = imported.reduce<LedgerEntry | ImportedCall>(
      (most, entry) => (isMoreComplete(entry, most) ? entry : most),
      call,
    );
    const { seq: _seq, origin: _origin, ...after } = { seq: 0, origin: "import", ...best, call: call.call };
    outcome.changed.push({ before: imported.map((entry) => ({ ...entry, call: entry.call ?? "" })), after });
    add.push(after);
    remove.push(...imported);
    for (const entry of imported) known.delete(entry.call ?? ""); // another call with the same former id is another call
  }
  return { outcome, add, settled, remove };
}

/** A call of a log that was cut, and whose usage is known elsewhere. */
export const isLaterTruth = (
  truth: Pick<LedgerEntry, "certainty" | "price">,
  { origin, ...entry }: LedgerEntry,
): boolean => origin !== "import" && certaintyOf(entry) !== "exact" && certaintyOf(truth) === "exact";

/** The log knows the session and the prompt, and the file what was used. */
export function settle(entry: LedgerEntry, truth: Omit<LedgerEntry, "seq" | "origin">): LedgerEntry {
  const { certainty: _certainty, low_nanos: _low, high_nanos: _high, list_nanos: _list, ...known } = entry;
  const { input, output, cache_read, cache_write, cache_write_1h, thinking, cost_nanos, price } = truth;
  const { fast, searches, images, list_nanos } = truth;
  return {
    ...known,
    ...{ input, output, cache_read, cache_write, thinking, cost_nanos, price },
    ...(cache_write_1h === undefined ? {} : { cache_write_1h }),
    ...{ fast, searches, images, list_nanos },
  };
}

/** Usage only grows while a call streams, so the greatest is the last one, in any order of files. */
function isMoreComplete(one: LedgerFigures, other: LedgerFigures): boolean {
  if (one.output !== other.output) return one.output > other.output;
  if (sent(one) !== sent(other)) return sent(one) > sent(other);
  // Earlier versions did not read these.
  const rest = ({ cache_write_1h = 0, searches = 0, fast = false }: LedgerFigures): number =>
    cache_write_1h + searches + Number(fast);
  if (rest(one) !== rest(other)) return rest(one) > rest(other);
  return one.model !== "" && other.model === ""; // a copy may lack the row that names it
}

type LedgerFigures = Pick<
  LedgerEntry,
  "input" | "output" | "cache_read" | "cache_write" | "cache_write_1h" | "searches" | "fast" | "model"
>;
const sent = ({ input, cache_read, cache_write }: LedgerFigures): number => input + cache_read + cache_write;
