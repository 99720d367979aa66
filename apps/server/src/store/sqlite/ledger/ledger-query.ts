// Queries of the ledger. Ranges of whole quarters of an hour are read from the sums, others from the entries. Days and hours are in
// the query's time zone, whose offset may change within the range.
import { withUncertainty } from "@patchbay/protocol";
import { sql } from "kysely";
import {
  addSums,
  entryUncertainty,
  type LedgerDimension,
  type LedgerGroup,
  type LedgerQuery,
  type LedgerRow,
  type LedgerSums,
  ledgerDimensions,
} from "../../ledger-types.ts";
import { isQuarter, quarterMs, quarterOf } from "../../quarters.ts";
import { type OffsetRange, offsetRanges } from "../../time-zone.ts";
import type { Database } from "../database/database.ts";
import { figures, sumOf, sumOfEntries } from "./ledger-sums.ts";

type Sums = Record<(typeof figures)[number], number | null>;
type Filter = LedgerQuery["where"];

export async function queryLedger(db: Database, query: LedgerQuery): Promise<LedgerRow[]> {
  const groups = [...new Set(query.groupBy)];
  const from = query.from === undefined ? undefined : Date.parse(query.from);
  const to = query.to === undefined ? undefined : Date.parse(query.to);
  const needsClock = groups.includes("day") || groups.includes("hour");
  const zone = query.timeZone ?? "UTC";
  if (
    groups.join() === "session" &&
    from === undefined &&
    to === undefined &&
    filtered(query.where).length === 0
  )
    return bySession(db);
  const range = needsClock && zone !== "UTC" ? await bounds(db, from, to) : { from, to };
  if (range === undefined) return [];
  const parts: OffsetRange[] =
    needsClock && zone !== "UTC" && range.from !== undefined && range.to !== undefined
      ? offsetRanges(range.from, range.to, zone)
      : [{ from, to, offsetMs: 0 }];
  const coarse =
    !groups.includes("session") &&
    query.where?.session === undefined &&
    parts.every((part) => isQuarter(part.from ?? 0) && isQuarter(part.to ?? 0));
  const merged = new Map<string, LedgerRow>();
  const dimensions = ledgerDimensions.filter((name) => groups.includes(name));
  const simple = dimensions.length <= 1 && filtered(query.where).length === 0;
  for (const part of parts) {
    const rows = !coarse
      ? await fromEntries(db, part, groups, query.where)
      : simple
        ? await fromOneDimension(db, part, groups, dimensions[0])
        : await fromSums(db, part, groups, query.where);
    for (const row of rows) merge(merged, row);
  }
  return [...merged.values()].sort((a, b) => compare(a, b, groups));
}

const entryFigures = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "thinking",
  "cost_nanos",
  "unpriced",
] as const;

/** Adds up in JavaScript: with a group by session, SQLite would read all entries of each session. */
export async function spentSince(db: Database, time: number): Promise<Map<string, LedgerSums>> {
  const entries = await db.query
    .selectFrom("ledger")
    .select(["session", "certainty", "price", "low_nanos", "high_nanos", ...entryFigures])
    .where("time", ">=", time)
    .execute();
  const sums = new Map<string, LedgerSums>();
  for (const { session, certainty, price, low_nanos, high_nanos, ...entry } of entries) {
    const bounds = { low_nanos: low_nanos ?? undefined, high_nanos: high_nanos ?? undefined };
    const uncertainty = entryUncertainty({ ...entry, ...bounds, certainty, price });
    const usage = sumsOf({ ...entry, ...uncertainty, calls: 1 });
    const known = sums.get(session);
    sums.set(session, known === undefined ? usage : addSums(known, usage));
  }
  return sums;
}

/** Read at every start of the server, so it uses the sums by turn instead of a million entries. */
async function bySession(db: Database): Promise<LedgerRow[]> {
  const rows = await db.query
    .selectFrom("turn_spend")
    .select("session")
    .select(figures.map((name) => sumOf(name).as(name)))
    .groupBy("session")
    .orderBy("session")
    .execute();
  return rows.flatMap((row) => toRow(row, ["session"]));
}

/** The part of the range that has entries: finding offset changes costs time per year, and a range may be unbounded. */
async function bounds(db: Database, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY) {
  const row = await db.query
    .selectFrom("spend")
    .select(({ fn }) => [fn.min("quarter").as("first"), fn.max("quarter").as("last")])
    .executeTakeFirst();
  if (row === undefined || row.first === null || row.last === null) return undefined;
  const range = {
    from: Math.max(from, row.first * quarterMs),
    to: Math.min(to, (row.last + 1) * quarterMs),
  };
  return range.from < range.to ? range : undefined;
}

/** Each dimension contains every entry once, so the total can be read from any. This one has the fewest rows. */
const smallest: LedgerDimension = "worker";

async function fromOneDimension(
  db: Database,
  { from, to, offsetMs }: OffsetRange,
  groups: readonly LedgerGroup[],
  dimension: LedgerDimension | undefined,
): Promise<LedgerRow[]> {
  let query = db.query
    .selectFrom("spend_by")
    .select(figures.map((name) => sumOf(name).as(name)))
    .where("dimension", "=", dimension ?? smallest);
  for (const [name, size] of clocks(groups, quarterMs)) {
    const unit = sql<number>`(quarter + ${sql.lit(offsetMs / quarterMs)}) / ${sql.lit(size)}`;
    query = query.select(unit.as(name)).groupBy(unit);
  }
  if (from !== undefined) query = query.where("quarter", ">=", quarterOf(from));
  if (to !== undefined) query = query.where("quarter", "<", quarterOf(to));
  if (dimension === undefined) return (await query.execute()).flatMap((row) => toRow(row, groups));
  const rows = await query.select("name").groupBy("name").execute();
  return rows.flatMap(({ name, ...row }) => toRow({ ...row, [dimension]: name }, groups));
}

async function fromSums(
  db: Database,
  { from, to, offsetMs }: OffsetRange,
  groups: readonly LedgerGroup[],
  where: Filter,
): Promise<LedgerRow[]> {
  const columns = ledgerDimensions.filter((name) => groups.includes(name));
  const local = sql<number>`(quarter + ${sql.lit(offsetMs / quarterMs)})`;
  let query = db.query
    .selectFrom("spend")
    .select(columns)
    .select(figures.map((name) => sumOf(name).as(name)));
  for (const name of columns) query = query.groupBy(name);
  for (const [name, size] of clocks(groups, quarterMs)) {
    const unit = sql<number>`${local} / ${sql.lit(size)}`;
    query = query.select(unit.as(name)).groupBy(unit);
  }
  if (from !== undefined) query = query.where("quarter", ">=", quarterOf(from));
  if (to !== undefined) query = query.where("quarter", "<", quarterOf(to));
  for (const name of filtered(where))
    if (name !== "session") query = query.where(name, "=", where?.[name] ?? "");
  return (await query.execute()).flatMap((row) => toRow(row, groups));
}

async function fromEntries(
  db: Database,
  { from, to, offsetMs }: OffsetRange,
  groups: readonly LedgerGroup[],
  where: Filter,
): Promise<LedgerRow[]> {
  const columns = (["session", ...ledgerDimensions] as const).filter((name) => groups.includes(name));
  const local = sql<number>`(time + ${sql.lit(offsetMs)})`;
  let query = db.query
    .selectFrom("ledger")
    .select(columns)
    .select(figures.map((name) => sumOfEntries(name).as(name)));
  for (const name of columns) query = query.groupBy(name);
  for (const [name, size] of clocks(groups, 1)) {
    const unit = sql<number>`${local} / ${sql.lit(size)}`;
    query = query.select(unit.as(name)).groupBy(unit);
  }
  if (from !== undefined) query = query.where("time", ">=", from);
  if (to !== undefined) query = query.where("time", "<", to);
  for (const name of filtered(where)) query = query.where(name, "=", where?.[name] ?? "");
  return (await query.execute()).flatMap((row) => toRow(row, groups));
}

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

/** The requested groups of time, each with its length in units of `unitMs`. */
const clocks = (groups: readonly LedgerGroup[], unitMs: number): ["day" | "hour", number][] => [
  ...(groups.includes("day") ? ([["day", dayMs / unitMs]] as ["day", number][]) : []),
  ...(groups.includes("hour") ? ([["hour", hourMs / unitMs]] as ["hour", number][]) : []),
];

export const filtered = (where: Filter) =>
  (["session", ...ledgerDimensions] as const).filter((name) => where?.[name] !== undefined);

type Found = Sums & Partial<Record<LedgerDimension | "session", string>> & { day?: number; hour?: number };

/** Without groups, SQL returns one row of nulls for an empty table. */
function toRow(row: Found, groups: readonly LedgerGroup[]): LedgerRow[] {
  if (row.input === null) return [];
  const keys = groups.map((name): [LedgerGroup, string] => {
    if (name === "day") return [name, new Date((row.day ?? 0) * dayMs).toISOString().slice(0, 10)];
    if (name === "hour") return [name, `${new Date((row.hour ?? 0) * hourMs).toISOString().slice(0, 13)}:00`];
    return [name, row[name] ?? ""];
  });
  return [{ keys: Object.fromEntries(keys), usage: sumsOf(row) }];
}

export function sumsOf(row: Sums): LedgerSums {
  const unpriced = row.unpriced ?? 0;
  const sums = {
    calls: row.calls ?? 0,
    input: row.input ?? 0,
    output: row.output ?? 0,
    cache_read: row.cache_read ?? 0,
    cache_write: row.cache_write ?? 0,
    thinking: row.thinking ?? 0,
    cost_usd: (row.cost_nanos ?? 0) / 1e9,
    ...(unpriced === 0 ? {} : { unpriced }),
  };
  const { estimated, below_nanos, above_nanos } = row;
  if (estimated === null || estimated === 0) return sums;
  const uncertainty = { estimated, below_nanos: below_nanos ?? 0, above_nanos: above_nanos ?? 0 };
  return { ...sums, ...withUncertainty(sums, uncertainty) };
}

/** A group may occur on both sides of an offset change. */
function merge(into: Map<string, LedgerRow>, row: LedgerRow): void {
  const name = JSON.stringify(row.keys);
  const known = into.get(name);
  into.set(name, known === undefined ? row : { keys: row.keys, usage: addSums(known.usage, row.usage) });
}

function compare(a: LedgerRow, b: LedgerRow, groups: readonly LedgerGroup[]): number {
  for (const name of groups) {
    const [left = "", right = ""] = [a.keys[name], b.keys[name]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
