import type { Kysely, Migration } from "kysely";
import { sql } from "kysely";

/**
 * Tokens that a cache keeps for an hour have a price of their own. Files of other programs are read again from their beginning: calls
 * that are known without these tokens are replaced, others are not counted twice.
 */
export const hourWrites: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("ledger")
      .addColumn("cache_write_1h", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`delete from import_files`.execute(db);
  },
};
