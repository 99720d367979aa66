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

export function sortImported(
  given: readonly ImportedCall[],
  entries: readonly LedgerEntry[],
): { outcome: ImportOutcome; add: ImportedCall[]; settled: LedgerEntry[]; remove: LedgerEntry[] } {
  const known = new Map(entries.map((entry) => [entry.call ?? "", entry]));
  // An entry from a log has precedence over one from a file.
  for (const entry of entries) if (entry.origin !== "import") known.set(entry.call ?? "", entry);
  const fullest = new Map<string, ImportedCall>();
  for (const call of given) {
    const other = fullest.get(call.call);
    if (other === undefined || isMoreComplete(call, other)) fullest.set(call.call, call);
  }
  const outcome: ImportOutcome = { added: [], changed: [], settled: [], known: 0 };
  const settled: LedgerEntry[] = [];
  const add: ImportedCall[] = [];
  const remove: LedgerEntry[] = [];
  for (const call of fullest.values()) {
    const before = known.get(call.call);
    if (before === undefined) {
      outcome.added.push(call);
      add.push(call);
    } else if (before.origin === "import" && isMoreComplete(call, before)) {
      outcome.changed.push({ before: { ...before, call: call.call }, after: call });
      add.push(call);
      remove.push(before);
    } else if (isLaterTruth(call, before)) {
      const { cost_nanos, price } = call;
      outcome.settled.push({ entry: before, cost_nanos, price, certainty: "exact" });
      settled.push(settle(before, call));
      remove.push(before);
    } else outcome.known++;
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
  const { certainty: _certainty, low_nanos: _low, high_nanos: _high, ...known } = entry;
  const { input, output, cache_read, cache_write, cache_write_1h, thinking, cost_nanos, price } = truth;
  const { fast, searches, images } = truth;
  return {
    ...known,
    ...{ input, output, cache_read, cache_write, thinking, cost_nanos, price },
    ...(cache_write_1h === undefined ? {} : { cache_write_1h }),
    ...{ fast, searches, images },
  };
}

/** Usage only grows while a call streams, so the greatest is the last one, in any order of files. */
function isMoreComplete(one: LedgerFigures, other: LedgerFigures): boolean {
  if (one.output !== other.output) return one.output > other.output;
  if (sent(one) !== sent(other)) return sent(one) > sent(other);
  // Earlier versions did not read these.
  const rest = ({ cache_write_1h = 0, searches = 0, fast = false }: LedgerFigures): number =>
    cache_write_1h + searches + Number(fast);
  return rest(one) > rest(other);
}

type LedgerFigures = Pick<
  LedgerEntry,
  "input" | "output" | "cache_read" | "cache_write" | "cache_write_1h" | "searches" | "fast"
>;
const sent = ({ input, cache_read, cache_write }: LedgerFigures): number => input + cache_read + cache_write;
