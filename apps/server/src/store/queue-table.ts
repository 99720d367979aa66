// What was accepted and has not started, and what was answered. The way of a prompt waits for one of these
// writes, so that one is a single statement compiled once; the others are gathered by their caller.
import { Response } from "@patchbay/protocol";
import type { CompiledQuery, Kysely } from "kysely";
import * as z from "zod/mini";
import type { Database } from "./database.ts";
import type { KnownAnswer, QueuedTask } from "./store.ts";
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

/** The running task stands before all that wait. */
const first = -1;

export class QueueTable {
  readonly #db: Database;
  readonly #keep: CompiledQuery;
  readonly #remove: CompiledQuery;
  readonly #answer: CompiledQuery;
  /** What is in the table, for each session that was read or written: the text of each task. */
  readonly #known = new Map<string, Map<string, string>>();

  constructor(db: Database) {
    this.#db = db;
    this.#keep = upsertTask(db.query).compile();
    this.#remove = db.query.deleteFrom("queue").where("session", "=", "").where("id", "=", "").compile();
    this.#answer = upsertAnswer(db.query).compile();
  }

  async keep(session: string, task: QueuedTask): Promise<void> {
    await this.#write(session, [{ task, position: first }], [], []);
  }

  /** Most changes add or remove one task: only what differs is written. */
  async save(session: string, tasks: readonly QueuedTask[], answers: readonly KnownAnswer[]): Promise<void> {
    const wanted = new Set(tasks.map(({ id }) => id));
    const gone = [...this.#of(session).keys()].filter((id) => !wanted.has(id));
    await this.#write(
      session,
      tasks.map((task, position) => ({ task, position })),
      gone,
      answers,
    );
  }

  async #write(
    session: string,
    tasks: readonly { task: QueuedTask; position: number }[],
    gone: readonly string[],
    answers: readonly KnownAnswer[],
  ): Promise<void> {
    const known = this.#of(session);
    const changed = tasks
      .map(({ task, position }) => ({ id: task.id, position, text: JSON.stringify({ ...task, position }) }))
      .filter(({ id, text }) => known.get(id) !== text);
    const statements = [
      ...gone.map((id) => ({ ...this.#remove, parameters: [session, id] })),
      ...changed.map(({ id, position, text }) => ({
        ...this.#keep,
        parameters: [session, id, position, text],
      })),
      ...answers.map((answer) => this.#answerStatement(session, answer)),
    ];
    if (statements.length > 0) await this.#db.write(...statements);
    for (const id of gone) known.delete(id);
    for (const { id, text } of changed) known.set(id, text);
  }

  async load(session: string): Promise<QueuedTask[]> {
    const rows = await this.#db.query
      .selectFrom("queue")
      .select(["id", "task"])
      .where("session", "=", session)
      .orderBy("position")
      .execute();
    this.#known.set(session, new Map(rows.map((row) => [row.id, row.task])));
    return rows.map((row) => StoredTask.parse(JSON.parse(row.task)));
  }

  /** Those in which something waits. */
  async sessions(): Promise<ReadonlySet<string>> {
    const rows = await this.#db.query.selectFrom("queue").select("session").distinct().execute();
    return new Set(rows.map(({ session }) => session));
  }

  async answer(session: string, answer: KnownAnswer): Promise<void> {
    await this.#db.write(this.#answerStatement(session, answer));
  }

  async answers(session: string, limit: number): Promise<KnownAnswer[]> {
    const rows = await this.#db.query
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

  forget(session: string): void {
    this.#known.delete(session);
  }

  #of(session: string): Map<string, string> {
    const known = this.#known.get(session) ?? new Map<string, string>();
    this.#known.set(session, known);
    return known;
  }

  #answerStatement(session: string, { viewer, id, response }: KnownAnswer): CompiledQuery {
    return {
      ...this.#answer,
      parameters: [session, viewer, id, JSON.stringify(response), Date.now()],
    };
  }
}

/** Values are put in later; what is already there is overwritten with the same ones. */
const upsertTask = (db: Kysely<Tables>) =>
  db
    .insertInto("queue")
    .values({ session: "", id: "", position: 0, task: "" })
    .onConflict((conflict) =>
      conflict.columns(["session", "id"]).doUpdateSet(({ ref }) => ({
        position: ref("excluded.position"),
        task: ref("excluded.task"),
      })),
    );

const upsertAnswer = (db: Kysely<Tables>) =>
  db
    .insertInto("answers")
    .values({ session: "", viewer: "", id: "", response: "", time: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["session", "viewer", "id"])
        .doUpdateSet(({ ref }) => ({ response: ref("excluded.response") })),
    );
