import type { Kysely, Migration } from "kysely";

/** Browsers that are logged in. The cookies of earlier versions were made from the token and had no row. */
export const logins: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("logins")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("cookie_hash", "text", (column) => column.notNull())
      .addColumn("previous_hash", "text")
      .addColumn("page_hash", "text", (column) => column.notNull())
      .addColumn("label", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("used_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("rotated_at", "bigint", (column) => column.notNull())
      .addColumn("confirmed_at", "bigint")
      .execute();
  },
};
