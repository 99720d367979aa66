// The sums of the ledger by quarter of an hour and by turn, written with the entries. A dashboard over a million entries reads
// thousands of rows instead.
import { isUnpriced } from "@patchbay/protocol";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import {
  costChange,
  entryUncertainty,
  type LedgerEntry,
  ledgerDimensions,
  type PriceChange,
} from "../../ledger-types.ts";
import { quarterOf } from "../../quarters.ts";
import type { Database } from "../database/database.ts";

export const figures = [
  "calls",
  "input",
  "output",
  "cache_read",
  "cache_write",
  "thinking",
  "cost_nanos",
  "unpriced",
  "estimated",
  "below_nanos",
  "above_nanos",
] as const;

/** The sum of a column as a floating-point number: exact up to 2^53, and above that a number where a sum of integers would be an
 * error. Null: no rows. */
export const sumOf = (column: string): RawBuilder<number | null> =>
  sql<number | null>`sum(${sql.ref(column)} + 0.0)`;

/** The sum of a figure over entries of the ledger, which has no columns for some of them. */
export function sumOfEntries(figure: (typeof figures)[number]): RawBuilder<number | null> {
  switch (figure) {
    case "calls":
      return sql<number>`count(*)`;
    case "estimated":
      return sql<number | null>`sum(certainty = 'estimated')`;
    case "below_nanos":
      return sql<
        number | null
      >`sum(case when certainty = 'estimated' then cost_nanos - coalesce(low_nanos, cost_nanos) else 0.0 end)`;
    case "above_nanos":
      return sql<
        number | null
      >`sum(case when certainty = 'estimated' then coalesce(high_nanos, cost_nanos) - cost_nanos else 0.0 end)`;
    default:
      return sumOf(figure);
  }
}

type Figures = Record<(typeof figures)[number], number>;

export class Sums {
  readonly #spend: CompiledQuery;
  readonly #by: CompiledQuery;
  readonly #turn: CompiledQuery;
  readonly #turnPrice: CompiledQuery;

  constructor({ query }: Database) {
    this.#spend = query
      .insertInto("spend")
      .values({ quarter: 0, ...noKeys, ...zero })
      .onConflict((conflict) =>
        conflict.columns(["quarter", ...ledgerDimensions]).doUpdateSet(added("spend")),
      )
      .compile();
    this.#by = query
      .insertInto("spend_by")
      .values({ dimension: "", quarter: 0, name: "", ...zero })
      .onConflict((conflict) =>
        conflict.columns(["dimension", "quarter", "name"]).doUpdateSet(added("spend_by")),
      )
      .compile();
    this.#turn = query
      .insertInto("turn_spend")
      .values({ session: "", turn: 0, started: 0, ended: 0, ...noKeys, ...zero })
      .onConflict((conflict) =>
        conflict.columns(["session", "turn"]).doUpdateSet(({ ref }) => ({
          ...added("turn_spend"),
          ended: ref("excluded.ended"),
          model: ref("excluded.model"),
        })),
      )
      .compile();
    this.#turnPrice = query
      .updateTable("turn_spend")
      .set({
        cost_nanos: sql<number>`cost_nanos + ${0}`,
        unpriced: sql<number>`unpriced + ${0}`,
        estimated: sql<number>`estimated + ${0}`,
        below_nanos: sql<number>`below_nanos + ${0}`,
        above_nanos: sql<number>`above_nanos + ${0}`,
      })
      .where("session", "=", "")
      .where("turn", "=", 0)
      .compile();
  }

  /** The entries must be new, and in order within each session. */
  add(entries: readonly LedgerEntry[]): CompiledQuery[] {
    const spend: Rows = new Map();
    const turns: Rows = new Map();
    for (const entry of entries) {
      const time = Date.parse(entry.time);
      const names = ledgerDimensions.map((name) => entry[name]);
      const quarter = quarterOf(time);
      addCall(rowOf(spend, [quarter, ...names]).sums, entry);
      const turn = rowOf(turns, [entry.session, entry.turn]);
      addCall(turn.sums, entry);
      turn.keys = [entry.session, entry.turn, turn.keys[2] ?? time, time, ...names];
    }
    return [...bind(this.#spend, spend), ...bind(this.#by, byDimension(spend)), ...bind(this.#turn, turns)];
  }

  /** Adjusts the sums to new prices of recorded entries. */
  change(changes: readonly PriceChange[]): CompiledQuery[] {
    const spend: Rows = new Map();
    const turns: Rows = new Map();
    for (const priced of changes) {
      const { entry } = priced;
      const change = costChange(priced);
      const names = ledgerDimensions.map((name) => entry[name]);
      const rows = [
        rowOf(spend, [quarterOf(Date.parse(entry.time)), ...names]),
        rowOf(turns, [entry.session, entry.turn]),
      ];
      for (const { sums } of rows) {
        for (const name of changing) sums[name] += change[name];
      }
    }
    const ofTurns = [...turns.values()].map(({ keys, sums }) => ({
      ...this.#turnPrice,
      parameters: [...changing.map((name) => sums[name]), ...keys],
    }));
    return [...bind(this.#spend, spend), ...bind(this.#by, byDimension(spend)), ...ofTurns];
  }
}

/** The figures that a new price changes, in the order of the statement. */
const changing = ["cost_nanos", "unpriced", "estimated", "below_nanos", "above_nanos"] as const;

type Rows = Map<string, { keys: (string | number)[]; sums: Figures }>;

const bind = (statement: CompiledQuery, rows: Rows): CompiledQuery[] =>
  [...rows.values()].map(({ keys, sums }) => ({
    ...statement,
    parameters: [...keys, ...figures.map((name) => sums[name])],
  }));

function rowOf(rows: Rows, keys: (string | number)[]) {
  const name = JSON.stringify(keys);
  let row = rows.get(name);
  if (row === undefined) rows.set(name, (row = { keys, sums: { ...zero } }));
  return row;
}

/** Computed from the sums, because they are fewer than the entries. */
function byDimension(spend: Rows): Rows {
  const by: Rows = new Map();
  for (const { keys, sums } of spend.values()) {
    const [quarter = 0, ...names] = keys;
    ledgerDimensions.forEach((dimension, index) => {
      const into = rowOf(by, [dimension, quarter, names[index] ?? ""]).sums;
      for (const figure of figures) into[figure] += sums[figure];
    });
  }
  return by;
}

/** Written out for speed: it runs for every call. */
function addCall(sums: Figures, entry: LedgerEntry): void {
  sums.calls++;
  sums.input += entry.input;
  sums.output += entry.output;
  sums.cache_read += entry.cache_read;
  sums.cache_write += entry.cache_write;
  sums.thinking += entry.thinking;
  sums.cost_nanos += entry.cost_nanos;
  if (isUnpriced(entry.price)) sums.unpriced++;
  if (entry.certainty !== "estimated") return;
  const { estimated, below_nanos, above_nanos } = entryUncertainty(entry);
  sums.estimated += estimated;
  sums.below_nanos += below_nanos;
  sums.above_nanos += above_nanos;
}

/** The figures of one call. */
export function figuresOf(entry: LedgerEntry): Figures {
  const sums = { ...zero };
  addCall(sums, entry);
  return sums;
}

const zero: Figures = {
  calls: 0,
  input: 0,
  output: 0,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_nanos: 0,
  unpriced: 0,
  estimated: 0,
  below_nanos: 0,
  above_nanos: 0,
};

const noKeys = { person: "", cwd: "", branch: "", worker: "", provider: "", model: "" };

/** The old value plus the new one, up to the largest number that can be read back. */
function added(table: "spend" | "spend_by" | "turn_spend") {
  const plus = (name: keyof Figures) =>
    sql<number>`min(${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}, ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
  return {
    calls: plus("calls"),
    input: plus("input"),
    output: plus("output"),
    cache_read: plus("cache_read"),
    cache_write: plus("cache_write"),
    thinking: plus("thinking"),
    cost_nanos: plus("cost_nanos"),
    unpriced: plus("unpriced"),
    estimated: plus("estimated"),
    below_nanos: plus("below_nanos"),
    above_nanos: plus("above_nanos"),
  };
}
