// What a session keeps in the store beside its log, written strictly one after the other: what a crash leaves must be a
// state that there was. Errors of writes that no caller waits for are logged here.
import type { Question } from "@patchbay/protocol";
import type { Logger } from "../../diagnostics/logger.ts";
import type { OwnedSession, QueuedTask, SavedReceipt } from "../../store/owned-session.ts";
import type { SessionRecord } from "../../store/session-record.ts";

/** A commit for each prompt that started would cost more than the prompt's own way through the server. */
const gatherMs = 250;

export class SessionWrites {
  readonly #owned: OwnedSession;
  readonly #session: string;
  readonly #log: Logger;
  #last: Promise<unknown> = Promise.resolve();
  /** Answers that are saved with the queue's next change. */
  #owed: SavedReceipt[] = [];
  #soon: { timer: NodeJS.Timeout; tasks: () => readonly QueuedTask[] } | undefined;

  constructor(owned: OwnedSession, session: string, log: Logger) {
    this.#owned = owned;
    this.#session = session;
    this.#log = log;
  }

  /** One task is on its way to the worker; what else there is stays as it is. */
  task(task: QueuedTask): Promise<void> {
    return this.#next(() => this.#owned.saveTask(task));
  }

  /** The whole queue, and the answers it made possible. */
  queue(tasks: readonly QueuedTask[]): Promise<void> {
    clearTimeout(this.#soon?.timer);
    this.#soon = undefined;
    return this.#next(async () => {
      const answers = this.#owed;
      this.#owed = [];
      try {
        await this.#owned.saveQueue(tasks, answers);
      } catch (error) {
        this.#owed = [...answers, ...this.#owed];
        throw error;
      }
    });
  }

  /** Tasks have started, as the log shows: their places are given up, with others of this moment. */
  queueSoon(tasks: () => readonly QueuedTask[]): void {
    if (this.#soon !== undefined) return;
    const timer = setTimeout(() => this.#queueNow(), gatherMs);
    this.#soon = { timer, tasks };
  }

  /** Nothing waits to be saved. */
  async flushed(): Promise<void> {
    if (this.#soon !== undefined) this.#queueNow();
    await this.#last;
  }

  record(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    return this.#next(() => this.#owned.update(change));
  }

  answer(answer: SavedReceipt): Promise<void> {
    return this.#next(() => this.#owned.saveReceipt(answer));
  }

  /** Until it is saved, the task's place in the queue stands for it. */
  answerWithQueue(answer: SavedReceipt): void {
    this.#owed.push(answer);
  }

  questions(pending: readonly Question[]): void {
    const saved = this.#next(() => this.#owned.saveQuestions(pending));
    this.own(saved, "questions could not be saved");
  }

  #queueNow(): void {
    const tasks = this.#soon?.tasks() ?? [];
    this.own(this.queue(tasks), "the queue could not be saved");
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
