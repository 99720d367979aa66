// Numbers frames, appends them to the log, and only then shows them: what a viewer has seen is in the
// log. Lines without a number keep their place between frames by waiting behind the same appends.
import type { LogChunk, SessionLog } from "../store/store.ts";

export class Journal {
  readonly #log: SessionLog;
  readonly #shownTo: (chunk: LogChunk) => void;
  #shown: number;
  #unshownBytes = 0;
  #tail: Promise<void> = Promise.resolve();

  /** `shown` is called for each chunk once it is committed. */
  constructor(log: SessionLog, shown: (chunk: LogChunk) => void) {
    this.#log = log;
    this.#shown = log.seq;
    this.#shownTo = shown;
  }

  /** The number of the newest frame, committed or not. */
  get seq(): number {
    return this.#log.seq;
  }

  /** The number of the newest frame that viewers may see. */
  get shownSeq(): number {
    return this.#shown;
  }

  get replayFloor(): number {
    return this.#log.replayFloor;
  }

  /** What has been appended and is not yet committed. */
  get unshownBytes(): number {
    return this.#unshownBytes;
  }

  append(bytes: Uint8Array, count: number): void {
    const chunk = { seq: this.#log.seq + 1, count, bytes };
    const committed = this.#log.append(bytes, count);
    this.#unshownBytes += bytes.length;
    this.#tail = Promise.all([this.#tail, committed]).then(() => {
      this.#unshownBytes -= bytes.length;
      this.#shown = chunk.seq + chunk.count - 1;
      this.#shownTo(chunk);
    });
  }

  /** Runs when everything appended so far has been shown. */
  after(action: () => void): void {
    this.#tail = this.#tail.then(action);
  }

  /** Called while a run is being read: `action` waits for the frames of that very run, too. */
  afterThisRun(action: () => void): void {
    queueMicrotask(() => this.after(action));
  }

  /** Resolves when everything appended so far has been shown. */
  flushed(): Promise<void> {
    return this.#tail;
  }

  async read(after: number, maxBytes: number): Promise<LogChunk[]> {
    return this.#log.read(after, maxBytes);
  }

  /** Like `read`, but waits for frames that are not committed yet. */
  async readCommitted(after: number, maxBytes: number): Promise<LogChunk[]> {
    if (after >= this.#shown) await this.#tail;
    return this.#log.read(after, maxBytes);
  }

  settle(): Promise<void> {
    return this.#log.settle();
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#log.close();
  }
}
