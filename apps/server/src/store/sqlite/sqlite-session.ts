// One session in SQLite and its log files. There is one server, so it owns every session: epoch 1.
import { Question } from "@patchbay/protocol";
import type { OwnedSession, QueuedTask, SavedReceipt } from "../owned-session.ts";
import type { SessionLog } from "../session-log.ts";
import type { SessionRecord } from "../session-record.ts";
import type { Database } from "./database/database.ts";
import { type ReportUnreadable, readableRows } from "./database/readable-rows.ts";
import type { ImportTables } from "./import-tables.ts";
import type { QueueTable } from "./queue-table.ts";
import { toColumns } from "./session-row.ts";

interface Parts {
  db: Database;
  queue: QueueTable;
  imports: ImportTables;
  report: ReportUnreadable;
  openLog(): Promise<SessionLog>;
}

export class SqliteSession implements OwnedSession {
  readonly epoch = 1;
  readonly #id: string;
  readonly #parts: Parts;

  constructor(id: string, parts: Parts) {
    this.#id = id;
    this.#parts = parts;
  }

  openLog(): Promise<SessionLog> {
    return this.#parts.openLog();
  }

  async update(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    const { db, imports } = this.#parts;
    const set = toColumns(change);
    if (Object.keys(set).length === 0) return;
    await db.write(
      db.query.updateTable("sessions").set(set).where("id", "=", this.#id).compile(),
      ...imports.addAgentSession(this.#id, change.agent_session),
    );
  }

  saveTask(task: QueuedTask): Promise<void> {
    return this.#parts.queue.saveTask(this.#id, task);
  }

  saveQueue(tasks: readonly QueuedTask[], receipts: readonly SavedReceipt[]): Promise<void> {
    return this.#parts.queue.save(this.#id, tasks, receipts);
  }

  loadQueue(): Promise<QueuedTask[]> {
    return this.#parts.queue.load(this.#id);
  }

  saveReceipt(receipt: SavedReceipt): Promise<void> {
    return this.#parts.queue.saveReceipt(this.#id, receipt);
  }

  loadReceipts(limit: number): Promise<SavedReceipt[]> {
    return this.#parts.queue.loadReceipts(this.#id, limit);
  }

  async saveQuestions(questions: readonly Question[]): Promise<void> {
    const { query, write } = this.#parts.db;
    const rows = questions.map((question) => ({
      session: this.#id,
      id: question.id,
      question: JSON.stringify(question),
    }));
    await write(
      query.deleteFrom("questions").where("session", "=", this.#id).compile(),
      ...rows.map((row) => query.insertInto("questions").values(row).compile()),
    );
  }

  async loadQuestions(): Promise<Question[]> {
    const rows = await this.#parts.db.query
      .selectFrom("questions")
      .select(["id", "question"])
      .where("session", "=", this.#id)
      .execute();
    return readableRows("questions", rows, ({ question }) => Question.parse(JSON.parse(question)), {
      nameOf: ({ id }) => `${this.#id} ${id}`,
      report: this.#parts.report,
    });
  }
}
