// The table of personal access tokens.
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { TokenRecord, TokenStore } from "../../people/token-store.ts";
import type { Database } from "../database/database.ts";
import { type ReportUnreadable, readableRows } from "../database/readable-rows.ts";
import type { Tables } from "../database/tables.ts";

export class TokenTable implements TokenStore {
  readonly #db: Database;
  readonly #report: ReportUnreadable;

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
  }

  async save({ id, scopes, ...plain }: TokenRecord): Promise<void> {
    const columns = { ...plain, scopes: JSON.stringify(scopes) };
    await this.#db.write(
      this.#db.query
        .insertInto("tokens")
        .values({ id, ...columns })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
        .compile(),
    );
  }

  async remove(id: string): Promise<void> {
    await this.#db.write(this.#db.query.deleteFrom("tokens").where("id", "=", id).compile());
  }

  async list(): Promise<TokenRecord[]> {
    const rows = await this.#db.query
      .selectFrom("tokens")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return readableRows("tokens", rows, fromRow, { nameOf: ({ id }) => id, report: this.#report });
  }
}

const fromRow = ({ scopes, ...plain }: Selectable<Tables["tokens"]>): TokenRecord => ({
  ...plain,
  scopes: z.array(z.string()).parse(JSON.parse(scopes)),
});
