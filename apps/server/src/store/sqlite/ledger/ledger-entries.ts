// Reads single entries of the ledger, oldest first, in steps that each block the process for some milliseconds only.
import {
  type EntryPosition,
  type EntryStep,
  type LedgerDimension,
  ledgerDimensions,
  type TurnQuery,
} from "../../ledger-types.ts";
import { quarterMs, quarterOf } from "../../quarters.ts";
import type { Database } from "../database/database.ts";
import { toEntry } from "./ledger-row.ts";

/** Rows of one step. SQLite answers synchronously: 2,000 rows take some milliseconds. */
const stepRows = 2_000;
/** Quarters of an hour that one step of a filtered query reads: a busy one has a thousand entries. */
const stepQuarters = 8;

/**
 * A filter in SQL that fits few entries would read a million rows in one step. The sums know the quarters of an hour that have
 * such entries, so a step reads only some of those, and what lies between is skipped.
 */
export async function readEntries(
  db: Database,
  { from, to, where }: TurnQuery,
  after: EntryPosition | undefined,
  limit: number,
): Promise<EntryStep> {
  const most = Math.min(limit, stepRows);
  const filters = ledgerDimensions.flatMap((name) => {
    const value = where?.[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const asked = {
    from: Math.max(from === undefined ? 0 : Date.parse(from), after?.time ?? 0),
    to: to === undefined ? undefined : Date.parse(to),
  };
  // The entries of one session are few.
  const part =
    filters.length === 0 || where?.session !== undefined
      ? { ...asked, isLast: true }
      : await nextPart(db, asked, filters);
  if (part === undefined) return { entries: [], next: undefined };
  let query = db.query.selectFrom("ledger").selectAll().where("time", ">=", part.from);
  if (part.to !== undefined) query = query.where("time", "<", part.to);
  if (where?.session !== undefined) query = query.where("session", "=", where.session);
  for (const [name, value] of filters) query = query.where(name, "=", value);
  if (after !== undefined)
    query = query.where(({ or, and, eb }) =>
      or([
        eb("time", ">", after.time),
        eb("session", ">", after.session),
        and([eb("session", "=", after.session), eb("seq", ">", after.seq)]),
      ]),
    );
  const rows = await query.orderBy("time").orderBy("session").orderBy("seq").limit(most).execute();
  const last = rows.length < most ? undefined : rows.at(-1);
  return {
    entries: rows.map(toEntry),
    next:
      last !== undefined
        ? { time: last.time, session: last.session, seq: last.seq }
        : part.isLast || part.to === undefined
          ? undefined
          : { time: part.to, session: "", seq: 0 }, // before the first entry of that time: every session has a name
  };
}

/** The next quarters of an hour that have such entries, as far as they follow one another; undefined: there are none. */
async function nextPart(
  db: Database,
  { from, to }: { from: number; to: number | undefined },
  filters: readonly (readonly [LedgerDimension, string])[],
): Promise<{ from: number; to: number; isLast: boolean } | undefined> {
  let query = db.query
    .selectFrom("spend")
    .select("quarter")
    .distinct()
    .where("quarter", ">=", quarterOf(from));
  if (to !== undefined) query = query.where("quarter", "<=", quarterOf(to));
  for (const [name, value] of filters) query = query.where(name, "=", value);
  const found = await query.orderBy("quarter").limit(stepQuarters).execute();
  const first = found[0]?.quarter;
  if (first === undefined) return undefined;
  const gap = found.findIndex(({ quarter }, index) => quarter !== first + index);
  const quarters = gap === -1 ? found.length : gap;
  const end = (first + quarters) * quarterMs;
  return {
    from: Math.max(from, first * quarterMs),
    to: to === undefined ? end : Math.min(end, to),
    isLast: found.length < stepQuarters && gap === -1,
  };
}
