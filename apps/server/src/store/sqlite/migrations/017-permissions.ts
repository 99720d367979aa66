import type { Kysely, Migration } from "kysely";

/** Standing permissions: what a person allowed for longer than one call. */
export const permissions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("permissions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("session", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("permission", "text", (column) => column.notNull())
      .execute();
  },
};
