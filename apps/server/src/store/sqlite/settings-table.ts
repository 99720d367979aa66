// The table of settings.

import type { SettingsStore } from "../settings-store.ts";
import type { Database } from "./database/database.ts";

export class SettingsTable implements SettingsStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async read(name: string): Promise<string | null> {
    const row = await this.#db.query
      .selectFrom("settings")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirst();
    return row?.value ?? null;
  }

  async write(name: string, value: string | null): Promise<void> {
    const { query } = this.#db;
    const statement =
      value === null
        ? query.deleteFrom("settings").where("name", "=", name).compile()
        : query
            .insertInto("settings")
            .values({ name, value })
            .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
            .compile();
    await this.#db.write(statement);
  }
}
