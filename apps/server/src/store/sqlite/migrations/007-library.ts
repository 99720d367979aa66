import { type Kysely, type Migration, sql } from "kysely";

/** Pins, archive, deletion that can be undone, and what was said, to be searched. */
export const library: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ["pinned", "archived"])
      await db.schema
        .alterTable("sessions")
        .addColumn(name, "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    await db.schema.alterTable("sessions").addColumn("deletes_at", "bigint").execute();
    await db.schema
      .createTable("said")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("session", "text", (column) => column.notNull())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("part", "integer", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("branch", "text", (column) => column.notNull())
      .addColumn("time", "bigint", (column) => column.notNull())
      .addColumn("text", "text", (column) => column.notNull())
      .addUniqueConstraint("said_key", ["session", "seq", "part"])
      .execute();
    // The words alone: the text itself stays in `said`. Prefixes of two and three letters have an index of their own.
    await sql`create virtual table said_words using fts5(
      text, content='said', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3')`.execute(
      db,
    );
    await db.schema
      .createTable("said_upto")
      .addColumn("session", "text", (column) => column.primaryKey())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .execute();
  },
};
