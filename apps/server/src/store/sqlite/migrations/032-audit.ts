import type { Kysely, Migration } from "kysely";

/** The audit, and where its chain of hashes begins. */
export const audit: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("audit")
      .addColumn("seq", "bigint", (column) => column.primaryKey())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("person", "text")
      .addColumn("author", "text", (column) => column.notNull())
      .addColumn("via", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("target", "text", (column) => column.notNull())
      .addColumn("result", "text", (column) => column.notNull())
      .addColumn("detail", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("audit_person").on("audit").columns(["person", "seq"]).execute();
    await db.schema.createIndex("audit_target").on("audit").columns(["target", "seq"]).execute();
    await db.schema
      .createTable("audit_anchor")
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .execute();
  },
};
