// Numbers frames, appends them to the log, and only then shows them: what a viewer has seen is in the
// log. Lines without a number keep their place between frames by waiting behind the same appends.
import type { LedgerEntry, LogChunk, Store } from "../store/store.ts";

export interface JournalListener {
  /** Committed: may be shown. */
  shown(chunk: LogChunk): void;
  failed(error: unknown): void;
}

export class Journal {
  readonly #store: Store;
  readonly #session: string;
  readonly #listener: JournalListener;
  #seq = 0;
  #shown = 0;
  #tail: Promise<void> = Promise.resolve();

  constructor(store: Store, session: string, listener: JournalListener) {
    this.#store = store;
    this.#session = session;
    this.#listener = listener;
  }

  /** The number of the newest frame, committed or not. */
  get seq(): number {
    return this.#seq;
  }

  /** The number of the newest frame that viewers may see. */
  get shownSeq(): number {
    return this.#shown;
  }

  append(bytes: Uint8Array, count: number, entries: readonly LedgerEntry[] = []): void {
    const chunk = { seq: this.#seq + 1, count, bytes };
    this.#seq += count;
    const committed = this.#store.append(this.#session, chunk, entries);
    this.#then(async () => {
      await committed;
      this.#shown = chunk.seq + chunk.count - 1;
      this.#listener.shown(chunk);
    });
  }

  /** Runs when everything appended so far has been shown. */
  after(action: () => void): void {
    this.#then(async () => action());
  }

  /** Resolves when everything appended so far has been shown. */
  flushed(): Promise<void> {
    return this.#tail;
  }

  read(after: number, maxBytes: number): Promise<LogChunk[]> {
    return this.#store.read(this.#session, after, maxBytes);
  }

  replayFloor(): Promise<number> {
    return this.#store.replayFloor(this.#session);
  }

  #then(step: () => Promise<void>): void {
    this.#tail = this.#tail.then(step).catch((error: unknown) => this.#listener.failed(error));
  }
}
