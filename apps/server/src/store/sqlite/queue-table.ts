// The tables of queued tasks and of receipts. A prompt waits for `saveTask` before the worker receives it, so that write is a single
// statement, compiled once. A prompt may be megabytes long: its text is written when it is new or edited, and its position and state
// have their own columns.
import { Author, Response } from "@patchbay/protocol";
import type { CompiledQuery, Kysely } from "kysely";
import * as z from "zod/mini";
import type { QueuedTask, SavedReceipt } from "../owned-session.ts";
import type { Database } from "./database/database.ts";
import { type ReportUnreadable, readableRows } from "./database/readable-rows.ts";
import type { Tables } from "./database/tables.ts";

const StoredTask = z.object({
  id: z.string(),
  command: z.enum(["prompt", "compact"]),
  message: z.string(),
  images: z.number(),
  queued_at: z.string(),
  payload: z.record(z.string(), z.unknown()),
  viewer: z.string(),
  command_id: z.nullable(z.string()),
  tracked: z.optional(z.object({ content: z.string() })),
  by: z.optional(Author),
});

/** The position of a task that the worker received: before all waiting tasks. */
const first = -1_000_000_000;

/** The saved columns of a task. An edited prompt has a new payload object, so texts need not be compared. */
interface Saved {
  payload: QueuedTask["payload"];
  position: number;
  sent_seq: number | null;
  fate: string | null;
}

interface Change {
  id: string;
  saved: Saved;
  statement: CompiledQuery;
}

export class QueueTable {
  readonly #db: Database;
  readonly #report: ReportUnreadable;
  readonly #upsert: CompiledQuery;
  readonly #update: CompiledQuery;
  readonly #remove: CompiledQuery;
  readonly #upsertReceipt: CompiledQuery;
  /** The content of the table, for each session that was read or written. */
  readonly #known = new Map<string, Map<string, Saved>>();

  constructor(db: Database, report: ReportUnreadable) {
    this.#db = db;
    this.#report = report;
    this.#upsert = upsertTask(db.query).compile();
    this.#update = db.query
      .updateTable("queue")
      .set({ position: 0, sent_seq: null, fate: null })
      .where("session", "=", "")
      .where("id", "=", "")
      .compile();
    this.#remove = db.query.deleteFrom("queue").where("session", "=", "").where("id", "=", "").compile();
    this.#upsertReceipt = upsertReceipt(db.query).compile();
  }

  async saveTask(session: string, task: QueuedTask): Promise<void> {
    const change = this.#changeOf(session, task, first);
    if (change === undefined) return;
    await this.#db.write(change.statement);
    this.#of(session).set(task.id, change.saved);
  }

  async save(
    session: string,
    tasks: readonly QueuedTask[],
    receipts: readonly SavedReceipt[],
  ): Promise<void> {
    const known = this.#of(session);
    const wanted = new Set(tasks.map(({ id }) => id));
    const gone = [...known.keys()].filter((id) => !wanted.has(id));
    await this.#write(session, inOrder(tasks, known), gone, receipts);
  }

  async #write(
    session: string,
    tasks: readonly { task: QueuedTask; position: number }[],
    gone: readonly string[],
    receipts: readonly SavedReceipt[],
  ): Promise<void> {
    const known = this.#of(session);
    const changed = tasks.flatMap(({ task, position }) => this.#changeOf(session, task, position) ?? []);
    const statements = [
      ...gone.map((id) => ({ ...this.#remove, parameters: [session, id] })),
      ...changed.map(({ statement }) => statement),
      ...receipts.map((receipt) => this.#receiptStatement(session, receipt)),
    ];
    if (statements.length > 0) await this.#db.write(...statements);
    for (const id of gone) known.delete(id);
    for (const { id, saved } of changed) known.set(id, saved);
  }

  /** What to write of the task; undefined: it is saved as it is. */
  #changeOf(session: string, task: QueuedTask, position: number): Change | undefined {
    const { id, payload, sent_seq } = task;
    const fate = task.fate ?? (task.held === true ? "held" : null);
    const saved: Saved = { payload, position, sent_seq, fate };
    const before = this.#of(session).get(id);
    if (before?.payload !== payload)
      return { id, saved, statement: this.#taskStatement(session, task, saved) };
    if (before.position === position && before.sent_seq === sent_seq && before.fate === fate)
      return undefined;
    const parameters = [position, sent_seq, fate, session, id];
    return { id, saved, statement: { ...this.#update, parameters } };
  }

  async load(session: string): Promise<QueuedTask[]> {
    const rows = await this.#db.query
      .selectFrom("queue")
      .select(["id", "task", "position", "sent_seq", "fate"])
      .where("session", "=", session)
      .orderBy("position")
      .execute();
    const known = new Map<string, Saved>();
    this.#known.set(session, known);
    const read = ({ id, task: text, position, sent_seq, fate }: (typeof rows)[number]): QueuedTask => {
      const task = StoredTask.parse(JSON.parse(text));
      known.set(id, { payload: task.payload, position, sent_seq, fate });
      if (fate === "unknown") return { ...task, sent_seq, fate };
      return { ...task, sent_seq, ...(fate === "held" ? { held: true } : {}) };
    };
    return this.#readable("queue", session, rows, read);
  }

  /** The sessions with queued tasks. */
  async sessions(): Promise<ReadonlySet<string>> {
    const rows = await this.#db.query.selectFrom("queue").select("session").distinct().execute();
    return new Set(rows.map(({ session }) => session));
  }

  async saveReceipt(session: string, receipt: SavedReceipt): Promise<void> {
    await this.#db.write(this.#receiptStatement(session, receipt));
  }

  async loadReceipts(session: string, limit: number): Promise<SavedReceipt[]> {
    const rows = await this.#db.query
      .selectFrom("answers")
      .select(["viewer", "id", "response"])
      .where("session", "=", session)
      .orderBy("time", "desc")
      .limit(limit)
      .execute();
    const read = ({ viewer, id, response }: (typeof rows)[number]): SavedReceipt => ({
      viewer,
      id,
      response: Response.parse(JSON.parse(response)),
    });
    return this.#readable("answers", session, rows.toReversed(), read);
  }

  #readable<Row extends { id: string }, Value>(
    table: string,
    session: string,
    rows: readonly Row[],
    read: (row: Row) => Value,
  ): Value[] {
    return readableRows(table, rows, read, { nameOf: ({ id }) => `${session} ${id}`, report: this.#report });
  }

  forget(session: string): void {
    this.#known.delete(session);
  }

  #of(session: string): Map<string, Saved> {
    const known = this.#known.get(session) ?? new Map<string, Saved>();
    this.#known.set(session, known);
    return known;
  }

  #taskStatement(session: string, task: QueuedTask, { position, sent_seq, fate }: Saved): CompiledQuery {
    const { id, command, message, images, queued_at, payload, viewer, command_id, by, tracked } = task;
    const stored = { id, command, message, images, queued_at, payload, viewer, command_id, by, tracked };
    return { ...this.#upsert, parameters: [session, id, position, sent_seq, fate, JSON.stringify(stored)] };
  }

  #receiptStatement(session: string, { viewer, id, response }: SavedReceipt): CompiledQuery {
    return {
      ...this.#upsertReceipt,
      parameters: [session, viewer, id, JSON.stringify(response), Date.now()],
    };
  }
}

/** Assigns ascending positions with as few changes as possible: a task keeps its position where the order allows it. */
function inOrder(
  tasks: readonly QueuedTask[],
  known: ReadonlyMap<string, Saved>,
): { task: QueuedTask; position: number }[] {
  const placed = tasks.flatMap(({ id }) => known.get(id)?.position ?? []);
  let last = Math.min(0, ...placed) - 1;
  return tasks.map((task, index) => {
    const before = known.get(task.id)?.position;
    const next = known.get(tasks[index + 1]?.id ?? "")?.position;
    if (before !== undefined && before > last) last = before;
    else if (index === 0 && next !== undefined)
      last = next - 1; // before the tasks that have a position
    else last++;
    return { task, position: last };
  });
}

/** A template: its values are replaced by parameters. */
const upsertTask = (db: Kysely<Tables>) =>
  db
    .insertInto("queue")
    .values({ session: "", id: "", position: 0, sent_seq: null, fate: null, task: "" })
    .onConflict((conflict) =>
      conflict.columns(["session", "id"]).doUpdateSet(({ ref }) => ({
        position: ref("excluded.position"),
        sent_seq: ref("excluded.sent_seq"),
        fate: ref("excluded.fate"),
        task: ref("excluded.task"),
      })),
    );

const upsertReceipt = (db: Kysely<Tables>) =>
  db
    .insertInto("answers")
    .values({ session: "", viewer: "", id: "", response: "", time: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["session", "viewer", "id"])
        .doUpdateSet(({ ref }) => ({ response: ref("excluded.response") })),
    );
