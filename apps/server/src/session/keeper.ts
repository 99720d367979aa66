// Keeps a session's small things in the store, under its id. Whoever need not wait for it leaves the
// errors here, where they are logged.
import type { Question } from "@patchbay/protocol";
import type { KnownAnswer, QueuedTask, SessionRecord, Store } from "../store/store.ts";
import type { SessionLog } from "./session-dependencies.ts";

export class Keeper {
  readonly #store: Store;
  readonly #session: string;
  readonly #log: SessionLog;

  constructor(store: Store, session: string, log: SessionLog) {
    this.#store = store;
    this.#session = session;
    this.#log = log;
  }

  queue(tasks: readonly QueuedTask[]): Promise<void> {
    return this.#store.saveQueue(this.#session, tasks);
  }

  record(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    return this.#store.updateSession(this.#session, change);
  }

  answer(answer: KnownAnswer): void {
    this.own(this.#store.saveAnswer(this.#session, answer), "an answer could not be saved");
  }

  questions(pending: readonly Question[]): void {
    this.own(this.#store.saveQuestions(this.#session, pending), "questions could not be saved");
  }

  own(work: Promise<unknown>, problem: string): void {
    work.catch((error: unknown) => this.report(error, problem));
  }

  report(error: unknown, problem: string): void {
    this.#log.warn({ session: this.#session, err: error }, problem);
  }
}
