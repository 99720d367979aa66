import { type Kysely, type Migration, sql } from "kysely";

/**
 * What the list shows of a session that is not open (its last line and how its last turn ended), and what its last worker could
 * do, both as JSON. For sessions of earlier versions the search index has what was said last; opening one fills in the rest.
 */
export const sessionSummary: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("sessions").addColumn("summary", "text").execute();
    await db.schema.alterTable("sessions").addColumn("capabilities", "text").execute();
    await sql`update sessions set summary = (
      select json_object('last_line', trim(replace(substr(text, 1, 200), char(10), ' '))) from said
      where said.session = sessions.id and kind in ('answer', 'prompt') order by seq desc, part desc limit 1)`.execute(
      db,
    );
  },
};
