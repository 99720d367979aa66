// The table of standing permissions.
import { Permission } from "@patchbay/protocol";
import type { PermissionStore } from "../permission-store.ts";
import type { Database } from "./database/database.ts";
import { type ReportUnreadable, readableRows } from "./database/readable-rows.ts";

export class PermissionTable implements PermissionStore {
  readonly #db: Database;
  readonly #report: ReportUnreadable;

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
  }

  async save(permission: Permission): Promise<void> {
    const { id, session, created_at } = permission;
    await this.#db.write(
      this.#db.query
        .insertInto("permissions")
        .values({ id, session, created_at: Date.parse(created_at), permission: JSON.stringify(permission) })
        .compile(),
    );
  }

  async remove(id: string): Promise<void> {
    await this.#db.write(this.#db.query.deleteFrom("permissions").where("id", "=", id).compile());
  }

  async list(): Promise<Permission[]> {
    const rows = await this.#db.query
      .selectFrom("permissions")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    // A row that cannot be read allows nothing.
    return readableRows("permissions", rows, ({ permission }) => Permission.parse(JSON.parse(permission)), {
      nameOf: ({ id }) => id,
      report: this.#report,
    });
  }
}
