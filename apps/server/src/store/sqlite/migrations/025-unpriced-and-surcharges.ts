import { type Kysely, type Migration, sql } from "kysely";

/**
 * A hard budget says what happens with models whose price is unknown. Budgets of earlier versions let them run, and go on to: nothing
 * that worked stops with an update. New ones refuse them.
 *
 * Calls record what is billed beside tokens. Files of other programs are read again from their beginning: calls that are known without
 * it are replaced, others are not counted twice.
 */
export const unpricedAndSurcharges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // A row that is no JSON stays as it is: it is reported when it is read.
    await sql`update budgets set terms = json_set(terms, '$.unpriced', 'allow') where json_valid(terms)`.execute(
      db,
    );
    for (const name of ["fast", "searches", "images"])
      await db.schema
        .alterTable("ledger")
        .addColumn(name, "bigint", (column) => column.notNull().defaultTo(0))
        .execute();
    await sql`delete from import_files`.execute(db);
  },
};
