import type { Kysely, Migration } from "kysely";

/** Events on their way to webhooks. */
export const deliveries: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("deliveries")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("url", "text", (column) => column.notNull())
      .addColumn("event", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("next_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
