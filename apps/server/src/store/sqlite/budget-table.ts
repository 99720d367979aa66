// The tables of budgets and their events. A change is written with its event in one transaction.
import { type BudgetEvent, BudgetEventKind, BudgetTerms } from "@patchbay/protocol";
import type { CompiledQuery } from "kysely";
import type { BudgetStore, SavedBudget } from "../budget-store.ts";
import type { Database } from "./database/database.ts";
import { type ReportUnreadable, readableRows } from "./database/readable-rows.ts";
import type { Tables } from "./database/tables.ts";

export class BudgetTable implements BudgetStore {
  readonly #db: Database;
  readonly #report: ReportUnreadable;

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
  }

  async list(): Promise<SavedBudget[]> {
    const rows = await this.#db.query
      .selectFrom("budgets")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    const read = ({ id, terms, created_at, created_by }: Tables["budgets"]): SavedBudget => ({
      id,
      terms: BudgetTerms.parse(JSON.parse(terms)),
      created_at: new Date(created_at).toISOString(),
      created_by,
    });
    return readableRows("budgets", rows, read, { nameOf: ({ id }) => id, report: this.#report });
  }

  async save({ id, terms, created_at, created_by }: SavedBudget, event: BudgetEvent): Promise<void> {
    const changed = { terms: JSON.stringify(terms) };
    const row = { id, ...changed, created_at: Date.parse(created_at), created_by };
    const saved = this.#db.query
      .insertInto("budgets")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet(changed))
      .compile();
    await this.#db.write(saved, this.#insert(event));
  }

  async remove(id: string, event: BudgetEvent): Promise<void> {
    const removed = this.#db.query.deleteFrom("budgets").where("id", "=", id).compile();
    await this.#db.write(removed, this.#insert(event));
  }

  async add(event: BudgetEvent): Promise<void> {
    await this.#db.write(this.#insert(event));
  }

  async events({ budget, period, limit }: Parameters<BudgetStore["events"]>[0]): Promise<BudgetEvent[]> {
    let query = this.#db.query.selectFrom("budget_events").selectAll();
    if (budget !== undefined) query = query.where("budget", "=", budget);
    if (period !== undefined) query = query.where("period", "=", Date.parse(period));
    const rows = await query.orderBy("time", "desc").orderBy("id").limit(limit).execute();
    return readableRows("budget_events", rows, toEvent, { nameOf: ({ id }) => id, report: this.#report });
  }

  #insert({ time, period, amount_usd, ...event }: BudgetEvent): CompiledQuery {
    const row: Tables["budget_events"] = {
      ...event,
      time: Date.parse(time),
      period: period === null ? null : Date.parse(period),
      amount_micros: amount_usd === null ? null : Math.round(amount_usd * 1e6),
    };
    return this.#db.query.insertInto("budget_events").values(row).compile();
  }
}

const toEvent = ({ time, period, amount_micros, event, ...row }: Tables["budget_events"]): BudgetEvent => ({
  ...row,
  event: BudgetEventKind.parse(event),
  time: new Date(time).toISOString(),
  period: period === null ? null : new Date(period).toISOString(),
  amount_usd: amount_micros === null ? null : amount_micros / 1e6,
});
