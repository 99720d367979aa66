import type { Kysely, Migration } from "kysely";

/** Prices that were changed after the fact. */
export const prices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("repricings")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("by", "text", (column) => column.notNull())
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("query", "text", (column) => column.notNull())
      .addColumn("catalog", "text", (column) => column.notNull())
      .addColumn("entries", "integer", (column) => column.notNull())
      .addColumn("before_micros", "bigint", (column) => column.notNull())
      .addColumn("after_micros", "bigint", (column) => column.notNull())
      .addColumn("unpriced_before", "integer", (column) => column.notNull())
      .addColumn("unpriced_after", "integer", (column) => column.notNull())
      .addColumn("finished", "integer", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("repriced")
      .addColumn("repricing", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("before_micros", "bigint", (column) => column.notNull())
      .addColumn("before_price", "text", (column) => column.notNull())
      .addColumn("after_micros", "bigint", (column) => column.notNull())
      .addColumn("after_price", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("repriced_key", ["repricing", "session", "seq"])
      .execute();
  },
};
