import { type Kysely, type Migration, sql } from "kysely";

/** People, groups and personal access tokens; whose a session and a login is. Absent: of the holder of the server's token. */
export const people: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("people")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("handle", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("is_holder", "integer", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("groups")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("group_members")
      .addColumn("group", "text", (column) => column.notNull())
      .addColumn("person", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("group_members_key", ["group", "person"])
      .execute();
    await db.schema
      .createTable("tokens")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("person", "text", (column) => column.notNull())
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("used_at", "bigint")
      .addColumn("expires_at", "bigint")
      .execute();
    await sql`alter table sessions add column owner text`.execute(db);
    await sql`alter table sessions add column access text`.execute(db);
    await sql`alter table logins add column person text`.execute(db);
  },
};
