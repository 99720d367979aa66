// Writes what a session keeps in the store beside its log, strictly one after the other, so that a crash leaves a state that
// existed. Logs the errors of writes that no caller waits for.
import type { Question } from "@patchbay/protocol";
import type { Logger } from "../../diagnostics/logger.ts";
import type { OwnedSession, QueuedTask, SavedReceipt } from "../../store/owned-session.ts";
import type { SessionRecord } from "../../store/session-record.ts";

/** A commit for each started prompt would cost more than the rest of its path through the server. */
const gatherMs = 250;
/** The tasks of more turns in one commit would keep the next prompt waiting. */
const gatherTurns = 16;

export class SessionWrites {
  readonly #owned: OwnedSession;
  readonly #session: string;
  readonly #log: Logger;
  #last: Promise<unknown> = Promise.resolve();
  /** Saved with the next write of the queue. */
  #pendingReceipts: SavedReceipt[] = [];
  #soon: { timer: NodeJS.Timeout; tasks: () => readonly QueuedTask[]; turns: number } | undefined;

  constructor(owned: OwnedSession, session: string, log: Logger) {
    this.#owned = owned;
    this.#session = session;
    this.#log = log;
  }

  /** Saves one task that is on its way to the worker; the rest of the queue is unchanged. */
  task(task: QueuedTask): Promise<void> {
    return this.#next(() => this.#owned.saveTask(task));
  }

  /** Saves the whole queue, and the receipts that wait for it. */
  queue(tasks: readonly QueuedTask[]): Promise<void> {
    clearTimeout(this.#soon?.timer);
    this.#soon = undefined;
    return this.#next(async () => {
      const receipts = this.#pendingReceipts;
      this.#pendingReceipts = [];
      try {
        await this.#owned.saveQueue(tasks, receipts);
      } catch (error) {
        this.#pendingReceipts = [...receipts, ...this.#pendingReceipts];
        throw error;
      }
    });
  }

  /** Removes started tasks, which the log has, from the saved queue; several within a moment in one write. */
  queueSoon(tasks: () => readonly QueuedTask[]): void {
    this.#soon ??= { timer: setTimeout(() => this.#queueNow(), gatherMs), tasks, turns: 0 };
  }

  /** The same when a turn is over: then no viewer waits for a frame, and the write may begin. */
  queueAfterTurn(tasks: () => readonly QueuedTask[]): void {
    this.queueSoon(tasks);
    if (this.#soon === undefined || ++this.#soon.turns !== gatherTurns) return;
    clearTimeout(this.#soon.timer);
    setImmediate(() => this.#queueNow()); // when viewers have the end of the turn
  }

  /** Resolves when everything is saved. */
  async flushed(): Promise<void> {
    if (this.#soon !== undefined) this.#queueNow();
    await this.#last;
  }

  record(change: Partial<Omit<SessionRecord, "id">>): Promise<void> {
    return this.#next(() => this.#owned.update(change));
  }

  receipt(receipt: SavedReceipt): Promise<void> {
    return this.#next(() => this.#owned.saveReceipt(receipt));
  }

  /** Saves the receipt with the queue's next write; until then, the task in the saved queue implies it. */
  receiptWithQueue(receipt: SavedReceipt): void {
    this.#pendingReceipts.push(receipt);
  }

  questions(pending: readonly Question[]): void {
    const saved = this.#next(() => this.#owned.saveQuestions(pending));
    this.logFailure(saved, "questions could not be saved");
  }

  #queueNow(): void {
    if (this.#soon === undefined) return; // saved meanwhile
    const tasks = this.#soon?.tasks() ?? [];
    this.logFailure(this.queue(tasks), "the queue could not be saved");
  }

  #next(save: () => Promise<void>): Promise<void> {
    const saved = this.#last.then(save);
    this.#last = saved.catch(() => {}); // its caller gets the error; the next write runs anyway
    return saved;
  }

  logFailure(work: Promise<unknown>, problem: string): void {
    work.catch((error: unknown) => this.report(error, problem));
  }

  report(error: unknown, problem: string): void {
    this.#log.warn({ session: this.#session, err: error }, problem);
  }
}
