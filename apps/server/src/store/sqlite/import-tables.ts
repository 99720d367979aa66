// The tables of imports: how far each file was read, and which sessions of agents were relayed by this server.
import type { CompiledQuery } from "kysely";
import type { ReadFile } from "../imported.ts";
import type { Database } from "./database/database.ts";

export class ImportTables {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  file(path: string): Promise<ReadFile | undefined> {
    return this.#db.query
      .selectFrom("import_files")
      .select(["bytes", "tail", "state"])
      .where("path", "=", path)
      .executeTakeFirst();
  }

  async saveFile(path: string, file: ReadFile): Promise<void> {
    await this.#db.write(
      this.#db.query
        .insertInto("import_files")
        .values({ path, ...file })
        .onConflict((conflict) => conflict.column("path").doUpdateSet(file))
        .compile(),
    );
  }

  /** Records the agent's id of a session. The caller writes it with the session. */
  addAgentSession(session: string, agent_session: string | null | undefined): CompiledQuery[] {
    if (agent_session === null || agent_session === undefined) return [];
    return [
      this.#db.query
        .insertInto("agent_sessions")
        .values({ agent_session, session, since: Date.now() })
        .onConflict((conflict) => conflict.columns(["agent_session", "session"]).doNothing())
        .compile(),
    ];
  }

  async ownSince(agentSession: string): Promise<string | undefined> {
    const row = await this.#db.query
      .selectFrom("agent_sessions")
      .select(({ fn }) => fn.min("since").as("since"))
      .where("agent_session", "=", agentSession)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("ledger")
            .select("seq")
            .whereRef("ledger.session", "=", "agent_sessions.session")
            .limit(1),
        ),
      )
      .executeTakeFirst();
    const since = row?.since ?? null;
    return since === null ? undefined : new Date(since).toISOString();
  }
}
