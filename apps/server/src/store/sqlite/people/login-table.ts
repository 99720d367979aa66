// The table of logins.

import type { LoginRecord, LoginStore } from "../../people/login-store.ts";
import type { Database } from "../database/database.ts";

export class LoginTable implements LoginStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async save(login: LoginRecord): Promise<void> {
    const { id, ...columns } = login;
    await this.#db.write(
      this.#db.query
        .insertInto("logins")
        .values({ id, ...columns })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
        .compile(),
    );
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#db.write(
      ...ids.map((id) => this.#db.query.deleteFrom("logins").where("id", "=", id).compile()),
    );
  }

  list(): Promise<LoginRecord[]> {
    return this.#db.query.selectFrom("logins").selectAll().orderBy("used_at").orderBy("id").execute();
  }
}
