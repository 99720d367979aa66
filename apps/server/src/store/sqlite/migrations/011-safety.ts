import type { Kysely, Migration } from "kysely";

interface WithSettings {
  settings: { name: string; value: string };
}

/** What holds for the whole home. One that was in use before agents were confined by default keeps its way. */
export const safety = ({ isNew }: { isNew: boolean }): Migration => ({
  async up(db: Kysely<WithSettings>): Promise<void> {
    await db.schema
      .createTable("settings")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
    if (!isNew) await db.insertInto("settings").values({ name: "safety", value: "legacy" }).execute();
  },
});
