import { type Kysely, type Migration, sql } from "kysely";

/**
 * A hard budget says what happens with models whose price is unknown. Budgets of earlier versions let them run, and go on to: nothing
 * that worked stops with an update. New ones refuse them.
 */
export const unpricedModels: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // A row that is no JSON stays as it is: it is reported when it is read.
    await sql`update budgets set terms = json_set(terms, '$.unpriced', 'allow') where json_valid(terms)`.execute(
      db,
    );
  },
};
