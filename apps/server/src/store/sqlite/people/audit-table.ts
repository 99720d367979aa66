// The table of the audit.
import type { AuditEntry } from "@patchbay/protocol";
import type { Selectable } from "kysely";
import * as z from "zod/mini";
import type { AuditAnchor, AuditQuery, AuditStore } from "../../people/audit-store.ts";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";

export class AuditTable implements AuditStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async append({ time, detail, ...plain }: AuditEntry): Promise<void> {
    const row = { ...plain, time: Date.parse(time), detail: JSON.stringify(detail) };
    await this.#db.write(this.#db.query.insertInto("audit").values(row).compile());
  }

  async anchor(): Promise<AuditAnchor> {
    const row = await this.#db.query.selectFrom("audit_anchor").selectAll().executeTakeFirst();
    return row ?? { seq: 0, hash: "" };
  }

  async newest(): Promise<AuditEntry | undefined> {
    const row = await this.#db.query
      .selectFrom("audit")
      .selectAll()
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : fromRow(row);
  }

  async read(after: number, limit: number): Promise<AuditEntry[]> {
    const rows = await this.#db.query
      .selectFrom("audit")
      .selectAll()
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  }

  async list(
    { person, action, target, from, to }: AuditQuery,
    before: number,
    limit: number,
  ): Promise<AuditEntry[]> {
    let query = this.#db.query.selectFrom("audit").selectAll().where("seq", "<", before);
    if (person !== undefined) query = query.where("person", "=", person);
    if (action !== undefined) query = query.where("action", "=", action);
    if (target !== undefined) query = query.where("target", "=", target);
    if (from !== undefined) query = query.where("time", ">=", from);
    if (to !== undefined) query = query.where("time", "<", to);
    return (await query.orderBy("seq", "desc").limit(limit).execute()).map(fromRow);
  }

  async removeUpTo({ seq, hash }: AuditAnchor): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(
      query.deleteFrom("audit").where("seq", "<=", seq).compile(),
      query.deleteFrom("audit_anchor").compile(),
      query.insertInto("audit_anchor").values({ seq, hash }).compile(),
    );
  }
}

const Detail = z.record(z.string(), z.unknown());

/** A row that was changed by hand is shown as it is: the hash tells. */
const fromRow = ({ time, detail, ...plain }: Selectable<Tables["audit"]>): AuditEntry => ({
  ...plain,
  time: new Date(time).toISOString(),
  detail: readDetail(detail),
});

function readDetail(text: string): Record<string, unknown> {
  try {
    return Detail.parse(JSON.parse(text));
  } catch {
    return { unreadable: text };
  }
}
