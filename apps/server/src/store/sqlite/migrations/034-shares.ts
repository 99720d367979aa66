import type { Kysely, Migration } from "kysely";

/** Share links, and what frozen ones show. */
export const shares: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("shares")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("mode", "text", (column) => column.notNull())
      .addColumn("up_to_seq", "bigint")
      .addColumn("hidden", "text", (column) => column.notNull())
      .addColumn("created_by", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("views", "bigint", (column) => column.notNull())
      .addColumn("last_viewed_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .execute();
    await db.schema
      .createTable("shared_documents")
      .addColumn("share", "text", (column) => column.primaryKey())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("document", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("shared_documents_session")
      .on("shared_documents")
      .columns(["session"])
      .execute();
  },
};
