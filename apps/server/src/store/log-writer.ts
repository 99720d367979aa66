// One writer for all sessions. A little is written as soon as whoever brought it is done, because somebody
// waits for it; a flood is gathered for one turn of the event loop and written in one go, on another thread, so
// that this one reads and sends meanwhile. A log that cannot be written (a full disk) keeps what it has and is
// tried again, so that nothing is lost.

/** A log with something to write. */
export interface Pending {
  readonly waitingBytes: number;
  /** Writes everything that waits; throws when it cannot. */
  flush(): void;
  /** The same beside what else goes on: until it has settled, neither of the two is called again. */
  flushBeside(): Promise<void>;
}

/** How soon a failed write is tried again. Space is freed by people, not by milliseconds. */
const retryMs = 500;

/** A read that brings as much is followed by others; what people wait for is smaller. */
const floodBytes = 8 * 1024;

/** As much takes longer to write than to hand to another thread. */
const besideBytes = 64 * 1024;

export class LogWriter {
  readonly #dirty = new Set<Pending>();
  /** Being written by another thread. */
  readonly #beside = new Map<Pending, Promise<void>>();
  /** Their last write failed. */
  readonly #failing = new Set<Pending>();
  readonly #onTrouble: (error: Error | null) => void;
  #scheduled = false;
  /** Since the last write. */
  #bytes = 0;

  /** `onTrouble` is told of the first failure, and (null) when writing works again. */
  constructor(onTrouble: (error: Error | null) => void) {
    this.#onTrouble = onTrouble;
  }

  add(log: Pending, bytes: number): void {
    this.#dirty.add(log);
    if (this.#beside.has(log)) return; // goes on with what has come meanwhile
    this.#bytes += bytes;
    if (this.#scheduled) return;
    this.#scheduled = true;
    process.nextTick(() => {
      if (this.#bytes < floodBytes) this.#flush();
      else setImmediate(() => this.#flush());
    });
  }

  /** Everything that waits is written when this resolves; it rejects when that cannot be. */
  async flushNow(log: Pending): Promise<void> {
    for (let writing = this.#beside.get(log); writing !== undefined; writing = this.#beside.get(log))
      await writing;
    log.flush();
    this.#dirty.delete(log);
  }

  #flush(): void {
    this.#scheduled = false;
    this.#bytes = 0;
    // A copy: whoever cannot be written is put back, and must not be tried again at once.
    for (const log of [...this.#dirty]) if (!this.#beside.has(log)) this.#write(log);
  }

  #write(log: Pending): void {
    this.#dirty.delete(log);
    if (log.waitingBytes < besideBytes) {
      try {
        log.flush();
        this.#worked(log);
      } catch (error) {
        this.#failed(log, error);
      }
      return;
    }
    const writing = log.flushBeside().then(
      () => {
        this.#beside.delete(log);
        this.#worked(log);
        if (this.#dirty.has(log)) this.#write(log);
      },
      (error: unknown) => {
        this.#beside.delete(log);
        this.#failed(log, error);
      },
    );
    this.#beside.set(log, writing);
  }

  #worked(log: Pending): void {
    if (this.#failing.delete(log) && this.#failing.size === 0) this.#onTrouble(null);
  }

  #failed(log: Pending, error: unknown): void {
    this.#dirty.add(log);
    this.#failing.add(log);
    if (this.#failing.size === 1) this.#onTrouble(error instanceof Error ? error : new Error(String(error)));
    if (this.#scheduled) return;
    this.#scheduled = true;
    setTimeout(() => this.#flush(), retryMs);
  }
}
