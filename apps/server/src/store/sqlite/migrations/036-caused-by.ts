import type { Kysely, Migration } from "kysely";

/** Whose prompt a call was for. Null: it is not known, or the server had no people. */
export const causedBy: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("ledger").addColumn("caused_by", "text").execute();
  },
};
