import type { Kysely, Migration } from "kysely";

/** What was announced once for a period. The unique index keeps it once, also across restarts. */
export const announcements: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("announcements")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("target", "text", (column) => column.notNull())
      .addColumn("period", "bigint", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("dismissed", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex("announcements_once")
      .unique()
      .on("announcements")
      .columns(["kind", "subject", "target", "period"])
      .execute();
  },
};
