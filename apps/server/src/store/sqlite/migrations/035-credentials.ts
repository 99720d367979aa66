import type { Kysely, Migration } from "kysely";

/** What people log in with: invitations, passwords, passkeys, second factors. */
export const credentials: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("credentials")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("person", "text", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("used_at", "bigint")
      .execute();
  },
};
