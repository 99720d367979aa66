// The table of what people log in with.
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import {
  type CredentialRecord,
  type CredentialStore,
  credentialKinds,
} from "../../people/credential-store.ts";
import type { Database } from "../database/database.ts";
import { type ReportUnreadable, readableRows } from "../database/readable-rows.ts";
import type { Tables } from "../database/tables.ts";

export class CredentialTable implements CredentialStore {
  readonly #db: Database;
  readonly #report: ReportUnreadable;

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
  }

  async list(): Promise<CredentialRecord[]> {
    const rows = await this.#db.query
      .selectFrom("credentials")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return readableRows("credentials", rows, fromRow, { nameOf: ({ id }) => id, report: this.#report });
  }

  async change({ remove, save }: Parameters<CredentialStore["change"]>[0]): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(
      ...remove.map((id) => query.deleteFrom("credentials").where("id", "=", id).compile()),
      ...save.map(({ id, ...columns }) =>
        query
          .insertInto("credentials")
          .values({ id, ...columns })
          .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
          .compile(),
      ),
    );
  }
}

const fromRow = ({ kind, ...plain }: Selectable<Tables["credentials"]>): CredentialRecord => ({
  ...plain,
  kind: z.enum(credentialKinds).parse(kind),
});
