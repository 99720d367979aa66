// One writer for all sessions. A little is written as soon as whoever brought it is done, because somebody
// waits for it; a flood is written by another thread, and what comes meanwhile is gathered for the next write. A
// log that cannot be written (a full disk) keeps what it has and is tried again, so that nothing is lost.

/** A log with something to write. */
export interface Pending {
  /** Writes everything that waits; throws when it cannot. */
  flush(): void;
  /** The same, by another thread: rejects when it cannot. Nothing else is asked for until then. */
  write(): Promise<void>;
}

/** How soon a failed write is tried again. Space is freed by people, not by milliseconds. */
const retryMs = 500;

/** A read that brings as much is followed by others; what people wait for is smaller. */
const floodBytes = 8 * 1024;

export class LogWriter {
  /** And how many bytes have come since the last write. */
  readonly #dirty = new Map<Pending, number>();
  /** Being written by another thread. */
  readonly #busy = new Set<Pending>();
  /** Could not be written when last tried. Nothing else waits for them. */
  readonly #failed = new Set<Pending>();
  readonly #onTrouble: (error: Error | null) => void;
  #scheduled = false;
  #retry: NodeJS.Timeout | undefined;
  #trouble = false;

  /** `onTrouble` is told of the first failure, and (null) when writing works again. */
  constructor(onTrouble: (error: Error | null) => void) {
    this.#onTrouble = onTrouble;
  }

  add(log: Pending, bytes: number): void {
    if (this.#failed.has(log)) return;
    this.#dirty.set(log, (this.#dirty.get(log) ?? 0) + bytes);
    if (this.#scheduled || this.#busy.has(log)) return;
    this.#scheduled = true;
    process.nextTick(() => this.#flush());
  }

  /** Everything that waits is written before this returns, or it throws. */
  flushNow(log: Pending): void {
    log.flush();
    this.#dirty.delete(log);
    this.#failed.delete(log);
  }

  #flush(): void {
    this.#scheduled = false;
    for (const [log, bytes] of this.#dirty) {
      if (this.#busy.has(log)) continue; // its end takes along what has come meanwhile
      this.#dirty.delete(log);
      if (bytes >= floodBytes) void this.#writeAside(log);
      else this.#writeNow(log);
    }
  }

  #writeNow(log: Pending): void {
    try {
      log.flush();
    } catch (error) {
      this.#fail(log, error);
    }
  }

  /** Never rejects. */
  async #writeAside(log: Pending): Promise<void> {
    this.#busy.add(log);
    try {
      await log.write();
    } catch (error) {
      this.#dirty.delete(log);
      this.#fail(log, error);
    }
    this.#busy.delete(log);
    if (this.#dirty.has(log)) this.#flush();
  }

  #fail(log: Pending, error: unknown): void {
    this.#failed.add(log);
    if (this.#retry === undefined) this.#retry = setTimeout(() => this.#tryAgain(), retryMs);
    if (this.#trouble) return;
    this.#trouble = true;
    this.#onTrouble(error instanceof Error ? error : new Error(String(error)));
  }

  #tryAgain(): void {
    this.#retry = undefined;
    const failed = [...this.#failed];
    this.#failed.clear();
    for (const log of failed) this.#writeNow(log);
    if (this.#failed.size > 0) return;
    this.#trouble = false;
    this.#onTrouble(null);
  }
}
