// One writer for all sessions. A little is written as soon as whoever brought it is done, because somebody
// waits for it; a flood is gathered for one turn of the event loop and written in one go. A log that cannot
// be written (a full disk) keeps what it has and is tried again, so that nothing is lost.

/** A log with something to write. */
export interface Pending {
  /** Writes everything that waits; throws when it cannot. */
  flush(): void;
}

/** How soon a failed write is tried again. Space is freed by people, not by milliseconds. */
const retryMs = 500;

/** A read that brings as much is followed by others; what people wait for is smaller. */
const floodBytes = 8 * 1024;

export class LogWriter {
  readonly #dirty = new Set<Pending>();
  readonly #onTrouble: (error: Error | null) => void;
  #scheduled = false;
  /** Since the last write. */
  #bytes = 0;
  #trouble = false;

  /** `onTrouble` is told of the first failure, and (null) when writing works again. */
  constructor(onTrouble: (error: Error | null) => void) {
    this.#onTrouble = onTrouble;
  }

  add(log: Pending, bytes: number): void {
    this.#dirty.add(log);
    this.#bytes += bytes;
    if (this.#scheduled) return;
    this.#scheduled = true;
    process.nextTick(() => {
      if (this.#bytes < floodBytes) this.#flush();
      else setImmediate(() => this.#flush());
    });
  }

  /** Everything that waits is written before this returns, or it throws. */
  flushNow(log: Pending): void {
    log.flush();
    this.#dirty.delete(log);
  }

  #flush(): void {
    this.#scheduled = false;
    this.#bytes = 0;
    let failure: Error | undefined;
    for (const log of this.#dirty) {
      try {
        log.flush();
        this.#dirty.delete(log);
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
    }
    this.#tell(failure);
    if (this.#dirty.size === 0) return;
    this.#scheduled = true;
    setTimeout(() => this.#flush(), retryMs);
  }

  #tell(failure: Error | undefined): void {
    if (failure !== undefined && !this.#trouble) this.#onTrouble(failure);
    if (failure === undefined && this.#trouble) this.#onTrouble(null);
    this.#trouble = failure !== undefined;
  }
}
