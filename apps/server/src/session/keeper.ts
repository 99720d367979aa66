// Keeps a session's small things in the store, under its id, strictly one after the other: what a crash
// leaves must be a state there was. Whoever need not wait leaves the errors here, where they are logged.
import type { Question } from "@patchbay/protocol";
import type { KnownAnswer, QueuedTask, SessionRecord, Store } from "../store/store.ts";
import type { SessionLog } from "./session-dependencies.ts";

export class Keeper {
  readonly #store: Store;
  readonly #session: string;
  readonly #log: SessionLog;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, session: string, log: SessionLog) {
    this.#store = store;
    this.#session = session;
    this.#log = log;
  }

  queue(tasks: readonly QueuedTask[]): Promise<void> {
    return this.#next(() => this.#store.saveQueue(this.#session, tasks));
  }

  record(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    return this.#next(() => this.#store.updateSession(this.#session, change));
  }

  answer(answer: KnownAnswer): void {
    const saved = this.#next(() => this.#store.saveAnswer(this.#session, answer));
    this.own(saved, "an answer could not be saved");
  }

  questions(pending: readonly Question[]): void {
    const saved = this.#next(() => this.#store.saveQuestions(this.#session, pending));
    this.own(saved, "questions could not be saved");
  }

  #next(save: () => Promise<void>): Promise<void> {
    const saved = this.#last.then(save);
    this.#last = saved.catch(() => {}); // its owner is told; the next one is tried all the same
    return saved;
  }

  own(work: Promise<unknown>, problem: string): void {
    work.catch((error: unknown) => this.report(error, problem));
  }

  report(error: unknown, problem: string): void {
    this.#log.warn({ session: this.#session, err: error }, problem);
  }
}
