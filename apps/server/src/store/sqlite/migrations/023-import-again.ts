import type { Kysely, Migration } from "kysely";
import { sql } from "kysely";

/**
 * Files of other programs are read again from their beginning. Calls that Claude Code recorded with and without the id of their
 * request had been counted as two, and the summaries of pi's compactions not at all; other calls are not counted twice.
 */
export const importAgain: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`delete from import_files`.execute(db);
  },
};
