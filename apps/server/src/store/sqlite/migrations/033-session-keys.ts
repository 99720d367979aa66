import type { Kysely, Migration } from "kysely";

/** Which session a call with an idempotency key has created. The row outlives the session, or a call that is repeated would create another. */
export const sessionKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("session_keys")
      .addColumn("sender", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("session_keys_key", ["sender", "key"])
      .execute();
    await db.schema.createIndex("session_keys_time").on("session_keys").column("time").execute();
  },
};
