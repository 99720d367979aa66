// Questions that the ledger's turns answer: which cost most, which sessions they add up to, and how costs per
// turn are spread. A turn belongs to the time in which it began.
import { type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import { filtered, usageOf } from "./ledger-query.ts";
import { figures } from "./ledger-sums.ts";
import {
  type LedgerDimension,
  ledgerDimensions,
  type SessionSpend,
  type TurnCosts,
  type TurnQuery,
  type TurnSpend,
} from "./store.ts";
import type { Tables } from "./tables.ts";

type Turns<Selected> = SelectQueryBuilder<Tables, "turn_spend", Selected>;

function asked<Selected>(query: Turns<Selected>, { from, to, where }: TurnQuery): Turns<Selected> {
  let narrowed = query;
  if (from !== undefined) narrowed = narrowed.where("started", ">=", Date.parse(from));
  if (to !== undefined) narrowed = narrowed.where("started", "<", Date.parse(to));
  for (const name of filtered(where)) narrowed = narrowed.where(name, "=", where?.[name] ?? "");
  return narrowed;
}

const keysOf = (row: Record<LedgerDimension, string>): Record<LedgerDimension, string> => ({
  person: row.person,
  cwd: row.cwd,
  branch: row.branch,
  worker: row.worker,
  provider: row.provider,
  model: row.model,
});

export async function expensiveTurns(db: Database, query: TurnQuery, limit: number): Promise<TurnSpend[]> {
  const turns = asked(db.query.selectFrom("turn_spend").selectAll(), query);
  const rows = await turns.orderBy("cost_micros", "desc").orderBy("started").limit(limit).execute();
  return rows.map(({ session, turn, started, ended, ...row }) => ({
    session,
    turn,
    started: new Date(started).toISOString(),
    ended: new Date(ended).toISOString(),
    keys: keysOf(row),
    usage: usageOf(row),
  }));
}

export async function expensiveSessions(
  db: Database,
  query: TurnQuery,
  limit: number,
): Promise<SessionSpend[]> {
  const sessions = asked(db.query.selectFrom("turn_spend"), query)
    .select("session")
    .select(({ fn }) => [
      fn.countAll<number>().as("turns"),
      fn.min("started").as("started"),
      fn.max("ended").as("ended"),
      ...figures.map((name) => fn.sum<number>(name).as(name)),
      // A session that changed its model or branch is shown with one of them.
      ...ledgerDimensions.map((name) => fn.max(name).as(name)),
    ])
    .groupBy("session")
    .orderBy("cost_micros", "desc")
    .orderBy("session");
  const rows = await sessions.limit(limit).execute();
  return rows.map(({ session, turns, started, ended, ...row }) => ({
    session,
    turns,
    started: new Date(started).toISOString(),
    ended: new Date(ended).toISOString(),
    keys: keysOf(row),
    usage: usageOf(row),
  }));
}

/** Where the bars of a histogram of costs part, in micro-dollars: costs per turn span five powers of ten. */
const edges = [1, 2, 5].flatMap((step) => [1e2, 1e3, 1e4, 1e5, 1e6, 1e7].map((unit) => step * unit));
const bounds = [...edges.sort((a, b) => a - b), 1e8];

/** Turns with an unpriced call are counted apart: where they belong is not known. */
export async function turnCosts(db: Database, query: TurnQuery): Promise<TurnCosts> {
  const all = () => asked(db.query.selectFrom("turn_spend"), query);
  const priced = () => all().where("unpriced", "=", 0);
  const bucket = sql<number>`case ${sql.join(
    bounds.map((bound, index) => sql`when cost_micros < ${sql.lit(bound)} then ${sql.lit(index)}`),
    sql` `,
  )} else ${sql.lit(bounds.length)} end`;
  const rows = await priced()
    .select(({ fn }) => [
      bucket.as("bucket"),
      fn.countAll<number>().as("turns"),
      fn.sum<number>("cost_micros").as("cost_micros"),
    ])
    .groupBy(bucket)
    .orderBy("bucket")
    .execute();
  const unpriced = await all()
    .where("unpriced", ">", 0)
    .select(({ fn }) => fn.countAll<number>().as("turns"))
    .executeTakeFirst();
  const turns = rows.reduce((sum, row) => sum + row.turns, 0);
  const at = async (share: number): Promise<number | null> => {
    if (turns === 0) return null;
    const place = Math.min(turns - 1, Math.floor(turns * share));
    const row = await priced().select("cost_micros").orderBy("cost_micros").offset(place).limit(1).execute();
    return (row[0]?.cost_micros ?? 0) / 1e6;
  };
  return {
    turns,
    unpriced_turns: unpriced?.turns ?? 0,
    median_usd: await at(0.5),
    p95_usd: await at(0.95),
    buckets: rows.map((row) => ({
      from_usd: (bounds[row.bucket - 1] ?? 0) / 1e6,
      to_usd: row.bucket < bounds.length ? (bounds[row.bucket] ?? 0) / 1e6 : null,
      turns: row.turns,
      cost_usd: row.cost_micros / 1e6,
    })),
  };
}
