import type { Kysely, Migration } from "kysely";

/** Sessions, queue, questions, answers and the ledger. */
export const first: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("sessions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("worker", "text", (column) => column.notNull())
      .addColumn("dialect", "text", (column) => column.notNull())
      .addColumn("cwd", "text", (column) => column.notNull())
      .addColumn("provider", "text", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("message_count", "integer", (column) => column.notNull())
      .addColumn("process_pid", "integer")
      .addColumn("process_tag", "text")
      .addColumn("process_started", "text")
      .execute();
    await db.schema
      .createTable("queue")
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("position", "integer", (column) => column.notNull())
      .addColumn("task", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("queue_key", ["session", "id"])
      .execute();
    await db.schema
      .createTable("questions")
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("question", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("questions_key", ["session", "id"])
      .execute();
    await db.schema
      .createTable("answers")
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("viewer", "text", (column) => column.notNull())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("response", "text", (column) => column.notNull())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("answers_key", ["session", "viewer", "id"])
      .execute();
    await db.schema
      .createTable("ledger")
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("day", "text", (column) => column.notNull())
      .addColumn("worker", "text", (column) => column.notNull())
      .addColumn("provider", "text", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("cwd", "text", (column) => column.notNull())
      .addColumn("input", "bigint", (column) => column.notNull())
      .addColumn("output", "bigint", (column) => column.notNull())
      .addColumn("cache_read", "bigint", (column) => column.notNull())
      .addColumn("cache_write", "bigint", (column) => column.notNull())
      .addColumn("cost_micros", "bigint", (column) => column.notNull())
      .addColumn("unpriced", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("ledger_key", ["session", "seq"])
      .execute();
    await db.schema.createIndex("ledger_time").on("ledger").column("time").execute();
    await db.schema.createIndex("answers_time").on("answers").columns(["session", "time"]).execute();
  },
};
