import type { Kysely, Migration } from "kysely";

/** Ranking turns and spreading their costs reads an index only, not a hundred thousand wide rows. */
export const turnIndex: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex("turn_spend_costs")
      .on("turn_spend")
      .columns(["started", "session", "cost_micros", "unpriced"])
      .execute();
    await db.schema.dropIndex("turn_spend_started").execute();
  },
};
