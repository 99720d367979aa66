import { type Kysely, type Migration, sql } from "kysely";

/**
 * Whether a prompt was given to a worker, and that its fate is unknown, are columns: a prompt of megabytes is not written again
 * when only that changes.
 */
export const queueColumns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("queue").addColumn("sent_seq", "bigint").execute();
    await db.schema.alterTable("queue").addColumn("fate", "text").execute();
    await sql`update queue set sent_seq = json_extract(task, '$.sent_seq')`.execute(db);
  },
};
