// Changes past prices, page by page. Each page is one transaction with the sums and the record of the repricing, so that the record
// is exact even if the server ends in between.
import { randomUUID } from "node:crypto";
import { isUnpriced } from "@patchbay/protocol";
import type { CompiledQuery } from "kysely";
import {
  certaintyAfter,
  type LedgerEntry,
  ledgerDimensions,
  type PriceChange,
  type RepriceQuery,
  type Repricing,
} from "../../ledger-types.ts";
import { type Store } from "../../store.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import type { Ledger } from "./ledger.ts";
import { toEntry } from "./ledger-row.ts";
import { Sums } from "./ledger-sums.ts";

/** A page is read and written without yielding: some milliseconds. */
const pageRows = 1_000;

type Totals = Pick<
  Repricing,
  "entries" | "before_nanos" | "after_nanos" | "unpriced_before" | "unpriced_after"
>;

export class Repricings {
  readonly #db: Database;
  readonly #ledger: Ledger;
  readonly #sums: Sums;

  constructor(db: Database, ledger: Ledger) {
    this.#db = db;
    this.#ledger = ledger;
    this.#sums = new Sums(db);
  }

  async reprice(...[request, newPrice, changed]: Parameters<Store["reprice"]>): Promise<Repricing> {
    const { query, dryRun, ...named } = request;
    const time = Date.now();
    let repricing: Repricing = {
      id: randomUUID(),
      time: new Date(time).toISOString(),
      ...named,
      query: JSON.stringify(query),
      ...nothing,
      finished: false,
    };
    const row = { ...repricing, time, finished: 0 };
    await this.#ledger.flushed();
    if (!dryRun) await this.#db.write(this.#db.query.insertInto("repricings").values(row).compile());
    let after: EntryKey | undefined = { session: "", seq: 0 };
    while (after !== undefined) {
      const last: EntryKey = after;
      after = await this.#ledger.runExclusive(async () => {
        const page = await this.#page(query, last);
        const changes = page.flatMap((entry) => changeOf(entry, newPrice(entry)));
        const totals = add(repricing, changes);
        if (!dryRun && changes.length > 0) {
          await this.#db.write(...this.#statements(repricing.id, totals, changes));
          changed(changes);
        }
        repricing = { ...repricing, ...totals };
        return page.length < pageRows ? undefined : page.at(-1);
      });
    }
    repricing = { ...repricing, finished: true };
    if (!dryRun) await this.#db.write(this.#update(repricing.id, { finished: 1 }));
    return repricing;
  }

  async list(limit: number): Promise<Repricing[]> {
    const rows = await this.#db.query
      .selectFrom("repricings")
      .selectAll()
      .orderBy("time", "desc")
      .limit(limit)
      .execute();
    return rows.map(({ time, finished, ...row }) => ({
      ...row,
      time: new Date(time).toISOString(),
      finished: finished === 1,
    }));
  }

  async #page({ from, to, where, sources }: RepriceQuery, after: EntryKey): Promise<LedgerEntry[]> {
    let query = this.#db.query.selectFrom("ledger").selectAll();
    if (from !== undefined) query = query.where("time", ">=", Date.parse(from));
    if (to !== undefined) query = query.where("time", "<", Date.parse(to));
    for (const name of ["session", ...ledgerDimensions] as const) {
      const wanted = where?.[name];
      if (wanted !== undefined) query = query.where(name, "=", wanted);
    }
    const rows = await query
      .where(({ or, eb }) => or(sources.map((source) => eb("price", "like", patterns[source]))))
      .where(({ or, and, eb }) =>
        or([
          eb("session", ">", after.session),
          and([eb("session", "=", after.session), eb("seq", ">", after.seq)]),
        ]),
      )
      .orderBy("session")
      .orderBy("seq")
      .limit(pageRows)
      .execute();
    return rows.map(toEntry);
  }

  #statements(id: string, totals: Totals, changes: readonly PriceChange[]): CompiledQuery[] {
    const { query } = this.#db;
    const each = changes.flatMap(({ entry, cost_nanos, price, list_nanos, low_nanos, high_nanos }) => [
      query
        .updateTable("ledger")
        .set({
          cost_nanos,
          price,
          unpriced: isUnpriced(price) ? 1 : 0,
          certainty: certaintyAfter(entry, { price }),
          low_nanos: low_nanos ?? null,
          high_nanos: high_nanos ?? null,
          list_nanos: list_nanos ?? null,
        })
        .where("session", "=", entry.session)
        .where("seq", "=", entry.seq)
        .compile(),
      query
        .insertInto("repriced")
        .values({
          repricing: id,
          session: entry.session,
          seq: entry.seq,
          before_nanos: entry.cost_nanos,
          before_price: entry.price,
          after_nanos: cost_nanos,
          after_price: price,
        })
        .compile(),
    ]);
    return [...each, ...this.#sums.change(changes), this.#update(id, totals)];
  }

  #update(id: string, change: Partial<Tables["repricings"]>): CompiledQuery {
    return this.#db.query.updateTable("repricings").set(change).where("id", "=", id).compile();
  }
}

type EntryKey = Pick<LedgerEntry, "session" | "seq">;

const patterns = {
  worker: "worker",
  none: "none",
  incomplete: "incomplete",
  catalog: "catalog %",
  override: "override %",
} as const;

const nothing: Totals = {
  entries: 0,
  before_nanos: 0,
  after_nanos: 0,
  unpriced_before: 0,
  unpriced_after: 0,
};

function changeOf(
  entry: LedgerEntry,
  now: Pick<LedgerEntry, "cost_nanos" | "price" | "list_nanos"> | undefined,
): PriceChange[] {
  if (now === undefined) return [];
  const { cost_nanos, price, list_nanos } = now;
  if (cost_nanos === entry.cost_nanos && price === entry.price && list_nanos === entry.list_nanos) return [];
  const { low_nanos, high_nanos } = entry;
  if (isUnpriced(price) || entry.cost_nanos === 0) return [{ entry, cost_nanos, price, list_nanos }];
  // The tokens of the bounds are not kept: they follow the estimate in proportion.
  const ratio = cost_nanos / entry.cost_nanos;
  return [
    {
      ...{ entry, cost_nanos, price, list_nanos },
      ...(low_nanos === undefined ? {} : { low_nanos: Math.floor(low_nanos * ratio) }),
      ...(high_nanos === undefined ? {} : { high_nanos: Math.ceil(high_nanos * ratio) }),
    },
  ];
}

function add(before: Totals, changes: readonly PriceChange[]): Totals {
  const sum = (of: (change: PriceChange) => number): number =>
    changes.reduce((so, change) => so + of(change), 0);
  return {
    entries: before.entries + changes.length,
    before_nanos: before.before_nanos + sum(({ entry }) => entry.cost_nanos),
    after_nanos: before.after_nanos + sum(({ cost_nanos }) => cost_nanos),
    unpriced_before: before.unpriced_before + sum(({ entry }) => Number(isUnpriced(entry.price))),
    unpriced_after: before.unpriced_after + sum(({ price }) => Number(isUnpriced(price))),
  };
}
