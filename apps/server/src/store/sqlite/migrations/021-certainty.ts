import { type Kysely, type Migration, sql } from "kysely";

/**
 * Calls that were cut have an estimated cost, and bounds. Earlier entries are exact, or unknown where no price is. New columns have a
 * default, so that a ledger of a million entries is not rewritten.
 */
export const certainty: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable("ledger")
      .addColumn("certainty", "text", (column) => column.notNull().defaultTo("exact"))
      .execute();
    for (const name of ["low_micros", "high_micros"])
      await db.schema.alterTable("ledger").addColumn(name, "bigint").execute();
    await sql`update ledger set certainty = 'unknown' where unpriced = 1`.execute(db);
    for (const table of ["spend", "spend_by", "turn_spend"])
      for (const name of ["estimated", "below_micros", "above_micros"])
        await db.schema
          .alterTable(table)
          .addColumn(name, "bigint", (column) => column.notNull().defaultTo(0))
          .execute();
  },
};
