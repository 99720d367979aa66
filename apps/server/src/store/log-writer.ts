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
  /** Could not be written when last tried. Nothing else waits for them. */
  readonly #failed = new Set<Pending>();
  readonly #onTrouble: (error: Error | null) => void;
  #scheduled = false;
  #retry: NodeJS.Timeout | undefined;
  /** Since the last write. */
  #bytes = 0;
  #trouble = false;

  /** `onTrouble` is told of the first failure, and (null) when writing works again. */
  constructor(onTrouble: (error: Error | null) => void) {
    this.#onTrouble = onTrouble;
  }

  add(log: Pending, bytes: number): void {
    if (this.#failed.has(log)) return;
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
    this.#failed.delete(log);
  }

  #flush(): void {
    this.#scheduled = false;
    this.#bytes = 0;
    let failure: Error | undefined;
    for (const log of this.#dirty) {
      this.#dirty.delete(log);
      try {
        log.flush();
      } catch (error) {
        this.#failed.add(log);
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
    }
    this.#tell(failure);
    if (this.#failed.size === 0 || this.#retry !== undefined) return;
    this.#retry = setTimeout(() => this.#tryAgain(), retryMs);
  }

  #tryAgain(): void {
    this.#retry = undefined;
    for (const log of this.#failed) this.#dirty.add(log);
    this.#failed.clear();
    this.#flush();
  }

  #tell(failure: Error | undefined): void {
    if (failure !== undefined && !this.#trouble) this.#onTrouble(failure);
    const isOver = this.#trouble && this.#failed.size === 0;
    if (isOver) this.#onTrouble(null);
    this.#trouble = this.#failed.size > 0;
  }
}
