// Queries of the sums by turn: the most expensive turns and sessions, and the distribution of costs per turn. A turn belongs to the
// time in which it began.
import { type SelectQueryBuilder, sql } from "kysely";
import {
  type LedgerDimension,
  type LedgerSums,
  ledgerDimensions,
  noSums,
  type SessionSpend,
  type TurnCostDistribution,
  type TurnQuery,
  type TurnSpend,
} from "../../ledger-types.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { filtered, sumsOf } from "./ledger-query.ts";
import { figures, sumOf } from "./ledger-sums.ts";

type Turns<Selected> = SelectQueryBuilder<Tables, "turn_spend", Selected>;

function filterTurns<Selected>(query: Turns<Selected>, { from, to, where }: TurnQuery): Turns<Selected> {
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
  const turns = filterTurns(db.query.selectFrom("turn_spend").selectAll(), query);
  const rows = await turns.orderBy("cost_nanos", "desc").orderBy("started").limit(limit).execute();
  return rows.map(({ session, turn, started, ended, ...row }) => ({
    session,
    turn,
    started: new Date(started).toISOString(),
    ended: new Date(ended).toISOString(),
    keys: keysOf(row),
    usage: sumsOf(row),
  }));
}

export async function turnSpend(db: Database, session: string, turn: number): Promise<LedgerSums> {
  const turns = db.query.selectFrom("turn_spend").where("session", "=", session).where("turn", "=", turn);
  const row = await turns.select(figures.map((name) => sumOf(name).as(name))).executeTakeFirst();
  return row === undefined ? noSums : sumsOf(row);
}

/** In two steps: the first reads only an index, the second only the turns of the found sessions. */
export async function expensiveSessions(
  db: Database,
  query: TurnQuery,
  limit: number,
): Promise<SessionSpend[]> {
  const ranked = await filterTurns(db.query.selectFrom("turn_spend"), query)
    .select("session")
    .select(sumOf("cost_nanos").as("cost_nanos"))
    .groupBy("session")
    .orderBy("cost_nanos", "desc")
    .orderBy("session")
    .limit(limit)
    .execute();
  const sums = filterTurns(db.query.selectFrom("turn_spend"), query)
    .select("session")
    .select(({ fn }) => [
      fn.countAll<number>().as("turns"),
      fn.min("started").as("started"),
      fn.max("ended").as("ended"),
      ...figures.map((name) => sumOf(name).as(name)),
      // A session that changed its model or branch shows one of them.
      ...ledgerDimensions.map((name) => fn.max(name).as(name)),
    ]);
  const found = await sums
    .where(
      "session",
      "in",
      ranked.map(({ session }) => session),
    )
    .groupBy("session")
    .execute();
  return found
    .sort((a, b) => (b.cost_nanos ?? 0) - (a.cost_nanos ?? 0) || (a.session < b.session ? -1 : 1))
    .map(({ session, turns, started, ended, ...row }) => ({
      session,
      turns,
      started: new Date(started).toISOString(),
      ended: new Date(ended).toISOString(),
      keys: keysOf(row),
      usage: sumsOf(row),
    }));
}

/** The bounds of the histogram's buckets, in nano-dollars: costs per turn span five powers of ten. */
const edges = [1, 2, 5].flatMap((step) => [1e5, 1e6, 1e7, 1e8, 1e9, 1e10].map((unit) => step * unit));
const bounds = [...edges.sort((a, b) => a - b), 1e11];

/** Turns with an unpriced call are counted separately, because their bucket is unknown. */
export async function turnCosts(db: Database, query: TurnQuery): Promise<TurnCostDistribution> {
  // Reads one text of numbers instead of a hundred thousand rows and sorts them here. This takes a quarter of the time that SQLite
  // needs to group and sort.
  const row = await filterTurns(db.query.selectFrom("turn_spend"), query)
    .select([
      sql<string | null>`group_concat(case when unpriced = 0 then cost_nanos end)`.as("costs"),
      sql<number | null>`sum(case when unpriced > 0 then 1 else 0 end)`.as("unpriced"),
    ])
    .executeTakeFirst();
  const costs = Float64Array.from((row?.costs ?? "").split(",").filter(Boolean), Number).sort();
  const at = (share: number): number | null => {
    const nanos = costs[Math.min(costs.length - 1, Math.floor(costs.length * share))];
    return nanos === undefined ? null : nanos / 1e9;
  };
  return {
    turns: costs.length,
    unpriced_turns: row?.unpriced ?? 0,
    median_usd: at(0.5),
    p95_usd: at(0.95),
    buckets: bucketsOf(costs),
  };
}

/** `costs`: sorted. */
function bucketsOf(costs: Float64Array): TurnCostDistribution["buckets"] {
  const found: TurnCostDistribution["buckets"] = [];
  let next = 0;
  for (const [index, bound] of [...bounds, Number.POSITIVE_INFINITY].entries()) {
    const first = next;
    let nanos = 0;
    for (let cost = costs[next]; cost !== undefined && cost < bound; cost = costs[++next]) nanos += cost;
    if (next === first) continue;
    found.push({
      from_usd: (bounds[index - 1] ?? 0) / 1e9,
      to_usd: bound === Number.POSITIVE_INFINITY ? null : bound / 1e9,
      turns: next - first,
      cost_usd: nanos / 1e9,
    });
  }
  return found;
}
