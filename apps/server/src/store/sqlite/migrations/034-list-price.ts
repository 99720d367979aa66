import type { Kysely, Migration } from "kysely";

/** What a call would have cost at list prices, where a discount made it cheaper. Null: it has none, as all calls before. */
export const listPrice: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("ledger").addColumn("list_nanos", "bigint").execute();
  },
};
