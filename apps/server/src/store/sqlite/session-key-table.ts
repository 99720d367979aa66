// The table of idempotency keys that created sessions. A key is written in one transaction with its session.
import type { CompiledQuery } from "kysely";
import type { SessionKey } from "../session-keys.ts";
import type { Database } from "./database/database.ts";

/** Keys of deleted sessions are kept for so long: nobody repeats a call after 90 days, and the table must not grow forever. */
const keptMs = 90 * 24 * 60 * 60_000;

export class SessionKeyTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The caller writes these with the session. */
  add(session: string, key: SessionKey | undefined): CompiledQuery[] {
    if (key === undefined) return [];
    const { query } = this.#db;
    const time = Date.now();
    return [
      query
        .deleteFrom("session_keys")
        .where("time", "<", time - keptMs)
        .where("session", "not in", query.selectFrom("sessions").select("id"))
        .compile(),
      query
        .insertInto("session_keys")
        .values({ ...key, session, time })
        .compile(),
    ];
  }

  async find({ sender, key }: SessionKey): Promise<string | null> {
    const keys = this.#db.query.selectFrom("session_keys").select("session");
    const row = await keys.where("sender", "=", sender).where("key", "=", key).executeTakeFirst();
    return row?.session ?? null;
  }

  async remove(session: string): Promise<void> {
    await this.#db.write(this.#db.query.deleteFrom("session_keys").where("session", "=", session).compile());
  }
}
