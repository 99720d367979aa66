// The ledger: a projection of the logs. An entry's identity is its usage frame, so recording a frame again,
// as catching up after a crash does, changes nothing.
import { setTimeout as delay } from "node:timers/promises";
import type { Usage } from "@patchbay/protocol";
import type { Selectable } from "kysely";
import type { Database } from "./database.ts";
import type { LedgerEntry, LedgerGroup, LedgerQuery, LedgerRow } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Nobody reads costs faster than this, and a commit each would cost more than the frames do. */
const gatherMs = 20;
/** Fourteen parameters each; SQLite takes 32,766. */
const rowsPerInsert = 1_000;

type Row = Selectable<Tables["ledger"]>;

export class Ledger {
  readonly #db: Database;

  #waiting: LedgerEntry[] = [];
  /** Entries are being gathered. */
  #writing: Promise<void> | undefined;
  #inserting: Promise<void> = Promise.resolve();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Resolves when the entries are written. Those that arrive close together, of all sessions, are written together. */
  record(entries: readonly LedgerEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    this.#waiting.push(...entries);
    this.#writing ??= delay(gatherMs).then(() => {
      this.#writing = undefined;
      this.#inserting = this.#write();
      return this.#inserting;
    });
    return this.#writing;
  }

  /** What was handed over is written, or its owner has been told that it is not. */
  async flushed(): Promise<void> {
    await this.#writing?.catch(() => {});
    await this.#inserting.catch(() => {});
  }

  async #write(): Promise<void> {
    const entries = this.#waiting;
    this.#waiting = [];
    const inserts = chunks(entries, rowsPerInsert).map((some) =>
      this.#db.query
        .insertInto("ledger")
        .values(some.map(toRow))
        .onConflict((conflict) => conflict.columns(["session", "seq"]).doNothing())
        .compile(),
    );
    await this.#db.write(...inserts);
  }

  async position(session: string): Promise<number> {
    await this.flushed();
    const row = await this.#db.query
      .selectFrom("ledger")
      .select(({ fn }) => fn.max("seq").as("seq"))
      .where("session", "=", session)
      .executeTakeFirst();
    return row?.seq ?? 0;
  }

  async query({ from, to, groupBy }: LedgerQuery): Promise<LedgerRow[]> {
    await this.flushed();
    const columns = [...new Set(groupBy)];
    let query = this.#db.query
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

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );

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
