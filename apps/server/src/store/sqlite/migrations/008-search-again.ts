import { type Kysely, type Migration, sql } from "kysely";

/** Answers that no message settled were not found: everything is read once more, by what catches the search up. */
export const searchAgain: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`insert into said_words (said_words) values ('delete-all')`.execute(db);
    await sql`delete from said`.execute(db);
    await sql`delete from said_upto`.execute(db);
  },
};
