// The store of one machine: SQLite for what is small and related, append-only files for the logs.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Question, Response } from "@patchbay/protocol";
import type { Kysely, Selectable } from "kysely";
import * as z from "zod/mini";
import { openDatabase } from "./database.ts";
import { FileLog } from "./file-log.ts";
import { type HomeLock, lockHome } from "./home-lock.ts";
import { Ledger } from "./ledger.ts";
import { LogWriter } from "./log-writer.ts";
import type {
  KnownAnswer,
  LedgerEntry,
  LedgerQuery,
  LedgerRow,
  ProcessMark,
  QueuedTask,
  SessionLog,
  SessionRecord,
  Store,
} from "./store.ts";
import type { Tables } from "./tables.ts";

const StoredTask = z.object({
  id: z.string(),
  command: z.enum(["prompt", "compact"]),
  message: z.string(),
  images: z.number(),
  queued_at: z.string(),
  payload: z.record(z.string(), z.unknown()),
  viewer: z.string(),
  command_id: z.nullable(z.string()),
  sent_seq: z.nullable(z.number()),
});

export interface DurableStoreOptions {
  home: string;
  /** A log's segment is closed at the end of the turn in which it grew beyond this. */
  segmentBytes: number;
  /** Told when logs cannot be written, and (null) when they can again. */
  onTrouble(error: Error | null): void;
}

export class DurableStore implements Store {
  readonly #db: Kysely<Tables>;
  readonly #ledger: Ledger;
  readonly #writer: LogWriter;
  readonly #options: DurableStoreOptions;
  /** What is in the queue table, for each session that was read or written: the text of each task. */
  readonly #queues = new Map<string, Map<string, string>>();
  readonly #lock: HomeLock;

  private constructor(db: Kysely<Tables>, lock: HomeLock, options: DurableStoreOptions) {
    this.#db = db;
    this.#lock = lock;
    this.#ledger = new Ledger(db);
    this.#writer = new LogWriter(options.onTrouble);
    this.#options = options;
  }

  static async open(options: DurableStoreOptions): Promise<DurableStore> {
    const lock = lockHome(options.home);
    return new DurableStore(await openDatabase(join(options.home, "patchbay.db")), lock, options);
  }

  async createSession(record: SessionRecord): Promise<void> {
    await this.#db.insertInto("sessions").values(toRow(record)).execute();
  }

  async updateSession(id: string, change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    const { created_at, updated_at, process, ...plain } = change;
    const set = {
      ...plain,
      ...(created_at === undefined ? {} : { created_at: Date.parse(created_at) }),
      ...(updated_at === undefined ? {} : { updated_at: Date.parse(updated_at) }),
      ...(process === undefined ? {} : processColumns(process)),
    };
    if (Object.keys(set).length === 0) return;
    await this.#db.updateTable("sessions").set(set).where("id", "=", id).execute();
  }

  async deleteSession(id: string): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await db.deleteFrom("sessions").where("id", "=", id).execute();
      for (const table of ["queue", "questions", "answers"] as const) {
        await db.deleteFrom(table).where("session", "=", id).execute();
      }
    });
    this.#queues.delete(id);
    await rm(this.#directory(id), { recursive: true, force: true });
  }

  async listSessions(): Promise<SessionRecord[]> {
    const rows = await this.#db
      .selectFrom("sessions")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(fromRow);
  }

  openLog(session: string): Promise<SessionLog> {
    return FileLog.open(this.#directory(session), this.#writer, this.#options.segmentBytes);
  }

  /** Most changes add or remove one task: only what differs is written. */
  async saveQueue(session: string, tasks: readonly QueuedTask[]): Promise<void> {
    const saved = this.#queues.get(session) ?? new Map<string, string>();
    const wanted = new Map(tasks.map((task, position) => [task.id, JSON.stringify({ ...task, position })]));
    this.#queues.set(session, wanted);
    const gone = [...saved.keys()].filter((id) => !wanted.has(id));
    const rows = tasks.flatMap(({ id }, position) => {
      const task = wanted.get(id) ?? "";
      return saved.get(id) === task ? [] : [{ session, id, position, task }];
    });
    const write = async (db: Kysely<Tables>): Promise<void> => {
      if (gone.length > 0)
        await db.deleteFrom("queue").where("session", "=", session).where("id", "in", gone).execute();
      if (rows.length === 0) return;
      await db
        .insertInto("queue")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["session", "id"]).doUpdateSet(({ ref }) => ({
            position: ref("excluded.position"),
            task: ref("excluded.task"),
          })),
        )
        .execute();
    };
    try {
      if (gone.length > 0 && rows.length > 0) await this.#db.transaction().execute(write);
      else await write(this.#db);
    } catch (error) {
      this.#queues.set(session, saved);
      throw error;
    }
  }

  async loadQueue(session: string): Promise<QueuedTask[]> {
    const rows = await this.#db
      .selectFrom("queue")
      .select(["id", "task"])
      .where("session", "=", session)
      .orderBy("position")
      .execute();
    this.#queues.set(session, new Map(rows.map((row) => [row.id, row.task])));
    return rows.map((row) => StoredTask.parse(JSON.parse(row.task)));
  }

  async saveAnswer(session: string, { viewer, id, response }: KnownAnswer): Promise<void> {
    const text = JSON.stringify(response);
    await this.#db
      .insertInto("answers")
      .values({ session, viewer, id, response: text, time: Date.now() })
      .onConflict((conflict) => conflict.columns(["session", "viewer", "id"]).doUpdateSet({ response: text }))
      .execute();
  }

  async loadAnswers(session: string, limit: number): Promise<KnownAnswer[]> {
    const rows = await this.#db
      .selectFrom("answers")
      .select(["viewer", "id", "response"])
      .where("session", "=", session)
      .orderBy("time", "desc")
      .limit(limit)
      .execute();
    return rows.toReversed().map(({ viewer, id, response }) => ({
      viewer,
      id,
      response: Response.parse(JSON.parse(response)),
    }));
  }

  async saveQuestions(session: string, questions: readonly Question[]): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      await db.deleteFrom("questions").where("session", "=", session).execute();
      if (questions.length === 0) return;
      const rows = questions.map((question) => ({
        session,
        id: question.id,
        question: JSON.stringify(question),
      }));
      await db.insertInto("questions").values(rows).execute();
    });
  }

  async loadQuestions(session: string): Promise<Question[]> {
    const rows = await this.#db
      .selectFrom("questions")
      .select("question")
      .where("session", "=", session)
      .execute();
    return rows.map((row) => Question.parse(JSON.parse(row.question)));
  }

  record(entries: readonly LedgerEntry[]): Promise<void> {
    return this.#ledger.record(entries);
  }

  ledgerPosition(session: string): Promise<number> {
    return this.#ledger.position(session);
  }

  queryLedger(query: LedgerQuery): Promise<LedgerRow[]> {
    return this.#ledger.query(query);
  }

  async close(): Promise<void> {
    await this.#ledger.flushed();
    await this.#db.destroy();
    this.#lock.release();
  }

  #directory(session: string): string {
    return join(this.#options.home, "sessions", session);
  }
}

const toRow = ({
  created_at,
  updated_at,
  process,
  ...plain
}: SessionRecord): Selectable<Tables["sessions"]> => ({
  ...plain,
  created_at: Date.parse(created_at),
  updated_at: Date.parse(updated_at),
  ...processColumns(process),
});

const processColumns = (process: ProcessMark | null) => ({
  process_pid: process?.pid ?? null,
  process_tag: process?.tag ?? null,
  process_started: process?.started ?? null,
});

const fromRow = (row: Selectable<Tables["sessions"]>): SessionRecord => {
  const { created_at, updated_at, process_pid, process_tag, process_started, ...plain } = row;
  return {
    ...plain,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
    process:
      process_pid === null ? null : { pid: process_pid, tag: process_tag ?? "", started: process_started },
  };
};
