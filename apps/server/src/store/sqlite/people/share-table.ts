// The tables of share links and of what frozen ones show.
import { Hideable, ShareMode } from "@patchbay/protocol";
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { ShareRecord, ShareStore } from "../../people/share-store.ts";
import type { Database } from "../database/database.ts";
import { type ReportUnreadable, readableRows } from "../database/readable-rows.ts";
import type { Tables } from "../database/tables.ts";

export class ShareTable implements ShareStore {
  readonly #db: Database;
  readonly #report: ReportUnreadable;

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
  }

  async add({ hidden, ...plain }: ShareRecord, document: string | null): Promise<void> {
    const { query } = this.#db;
    const { id: share, session } = plain;
    await this.#db.write(
      query
        .insertInto("shares")
        .values({ ...plain, hidden: JSON.stringify(hidden) })
        .compile(),
      ...(document === null
        ? []
        : [query.insertInto("shared_documents").values({ share, session, document }).compile()]),
    );
  }

  async update({ id, views, last_viewed_at, revoked_at }: ShareRecord): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(
      query.updateTable("shares").set({ views, last_viewed_at, revoked_at }).where("id", "=", id).compile(),
      ...(revoked_at === null ? [] : [this.#removeDocument(id)]),
    );
  }

  async remove(id: string): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(query.deleteFrom("shares").where("id", "=", id).compile(), this.#removeDocument(id));
  }

  async list(): Promise<ShareRecord[]> {
    const rows = await this.#db.query
      .selectFrom("shares")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    // A row that cannot be read opens nothing.
    return readableRows("shares", rows, fromRow, { nameOf: ({ id }) => id, report: this.#report });
  }

  async document(id: string): Promise<string | undefined> {
    const row = await this.#db.query
      .selectFrom("shared_documents")
      .select("document")
      .where("share", "=", id)
      .executeTakeFirst();
    return row?.document;
  }

  #removeDocument(id: string) {
    return this.#db.query.deleteFrom("shared_documents").where("share", "=", id).compile();
  }
}

const fromRow = ({ hidden, mode, ...plain }: Selectable<Tables["shares"]>): ShareRecord => ({
  ...plain,
  mode: ShareMode.parse(mode),
  hidden: z.array(Hideable).parse(JSON.parse(hidden)),
});
