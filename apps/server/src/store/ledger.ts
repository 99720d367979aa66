// The ledger: a projection of the logs. An entry's identity is its usage frame, so recording a frame again,
// as catching up after a crash does, changes nothing.
import type { Usage } from "@patchbay/protocol";
import type { Kysely, Selectable } from "kysely";
import type { LedgerEntry, LedgerGroup, LedgerQuery, LedgerRow } from "./store.ts";
import type { Tables } from "./tables.ts";

type Row = Selectable<Tables["ledger"]>;

export class Ledger {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async record(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#db
      .insertInto("ledger")
      .values(entries.map(toRow))
      .onConflict((conflict) => conflict.columns(["session", "seq"]).doNothing())
      .execute();
  }

  async position(session: string): Promise<number> {
    const row = await this.#db
      .selectFrom("ledger")
      .select(({ fn }) => fn.max("seq").as("seq"))
      .where("session", "=", session)
      .executeTakeFirst();
    return row?.seq ?? 0;
  }

  async query({ from, to, groupBy }: LedgerQuery): Promise<LedgerRow[]> {
    const columns = [...new Set(groupBy)];
    let query = this.#db
      .selectFrom("ledger")
      .select(columns)
      .select(({ fn }) => [
        fn.sum<number>("input").as("input"),
        fn.sum<number>("output").as("output"),
        fn.sum<number>("cache_read").as("cache_read"),
        fn.sum<number>("cache_write").as("cache_write"),
        fn.sum<number>("cost_micros").as("cost_micros"),
        fn.sum<number>("unpriced").as("unpriced"),
      ]);
    if (from !== undefined) query = query.where("time", ">=", Date.parse(from));
    if (to !== undefined) query = query.where("time", "<", Date.parse(to));
    for (const column of columns) query = query.groupBy(column).orderBy(column);
    const rows = await query.execute();
    // Without groups, SQL gives one row of nulls for an empty table.
    return rows.flatMap((row) =>
      row.input === null ? [] : [{ keys: keysOf(row, columns), usage: usageOf(row) }],
    );
  }
}

const toRow = ({ time, priced, ...entry }: LedgerEntry): Row => ({
  ...entry,
  time: Date.parse(time),
  day: time.slice(0, 10),
  unpriced: priced ? 0 : 1,
});

const keysOf = (
  row: Partial<Record<LedgerGroup, string>>,
  columns: readonly LedgerGroup[],
): LedgerRow["keys"] => Object.fromEntries(columns.map((column) => [column, row[column] ?? ""]));

type Sums = Record<"input" | "output" | "cache_read" | "cache_write" | "cost_micros" | "unpriced", number>;

const usageOf = (row: Sums): Usage => ({
  input: row.input,
  output: row.output,
  cache_read: row.cache_read,
  cache_write: row.cache_write,
  cost_usd: row.cost_micros / 1e6,
  ...(row.unpriced === 0 ? {} : { unpriced: row.unpriced }),
});
