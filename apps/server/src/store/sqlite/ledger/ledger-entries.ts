// Reads single entries of the ledger, oldest first, in steps that each block the process for some milliseconds only.
import { type EntryPosition, type EntryStep, ledgerDimensions, type TurnQuery } from "../../ledger-types.ts";
import type { Database } from "../database/database.ts";
import { toEntry } from "./ledger-row.ts";

/** Rows of one step. SQLite answers synchronously: 2,000 rows take some milliseconds. */
const stepRows = 2_000;

/**
 * Filters after reading, except by session: a filter in SQL that fits few entries would read a million rows in one step.
 */
export async function readEntries(
  db: Database,
  { from, to, where }: TurnQuery,
  after: EntryPosition | undefined,
  limit: number,
): Promise<EntryStep> {
  const most = Math.min(limit, stepRows);
  let query = db.query.selectFrom("ledger").selectAll();
  const start = Math.max(from === undefined ? 0 : Date.parse(from), after?.time ?? 0);
  query = query.where("time", ">=", start);
  if (to !== undefined) query = query.where("time", "<", Date.parse(to));
  if (where?.session !== undefined) query = query.where("session", "=", where.session);
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
  const fits = (row: (typeof rows)[number]): boolean =>
    ledgerDimensions.every((name) => where?.[name] === undefined || row[name] === where[name]);
  return {
    entries: rows.filter(fits).map(toEntry),
    next: last === undefined ? undefined : { time: last.time, session: last.session, seq: last.seq },
  };
}
