import type { Kysely, Migration } from "kysely";

/** Budgets, and what happened to them and because of them. */
export const budgets: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("budgets")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("terms", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("budget_events")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("budget", "text", (column) => column.notNull())
      .addColumn("event", "text", (column) => column.notNull())
      .addColumn("target", "text", (column) => column.notNull())
      .addColumn("session", "text")
      .addColumn("by", "text", (column) => column.notNull())
      .addColumn("period", "bigint")
      .addColumn("amount_micros", "bigint")
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("message", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("budget_events_time").on("budget_events").column("time").execute();
    await db.schema
      .createIndex("budget_events_period")
      .on("budget_events")
      .columns(["budget", "period"])
      .execute();
  },
};
