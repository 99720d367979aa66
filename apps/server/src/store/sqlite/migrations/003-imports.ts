import type { Kysely, Migration } from "kysely";

/** What was spent outside: which call an entry is, where it came from, and how far each file has been read. */
export const imports: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("ledger")
      .addColumn("origin", "text", (column) => column.notNull().defaultTo("session"))
      .execute();
    await db.schema.alterTable("ledger").addColumn("call", "text").execute();
    await db.schema.createIndex("ledger_call").on("ledger").column("call").execute();
    await db.schema.alterTable("sessions").addColumn("agent_session", "text").execute();
    await db.schema
      .createTable("import_files")
      .addColumn("path", "text", (column) => column.primaryKey())
      .addColumn("bytes", "bigint", (column) => column.notNull())
      .addColumn("tail", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("agent_sessions")
      .addColumn("agent_session", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("since", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("agent_sessions_key", ["agent_session", "session"])
      .execute();
  },
};
