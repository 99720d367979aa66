// Writes the logs of all sessions. A small batch is written on the next tick, because a viewer waits for it. A large one is written
// by another thread, and frames that arrive meanwhile join the next write. A log that cannot be written (a full disk) keeps its
// frames, and the writer retries: nothing is lost.

/** A log with frames to write. */
export interface PendingLog {
  /** Writes all waiting frames; throws when it cannot. */
  flush(): void;
  /** The same in another thread; rejects when it cannot. The writer makes no other call until it is done. */
  write(): Promise<void>;
}

/** How soon a failed write is retried. A person has to free space, so there is no hurry. */
const retryMs = 500;

/** More reads usually follow one of this size. What a person waits for is smaller. */
const largeBytes = 8 * 1024;

export class LogWriter {
  /** The number of bytes since the last write, by log. */
  readonly #dirty = new Map<PendingLog, number>();
  /** Logs that another thread is writing. */
  readonly #busy = new Set<PendingLog>();
  /** Logs whose last write failed. Other logs do not wait for them. */
  readonly #failed = new Set<PendingLog>();
  readonly #onWriteError: (error: Error | null) => void;
  #scheduled = false;
  #retry: NodeJS.Timeout | undefined;
  #isFailing = false;

  /** `onWriteError` is called with the first failure, and with null when writing works again. */
  constructor(onWriteError: (error: Error | null) => void) {
    this.#onWriteError = onWriteError;
  }

  add(log: PendingLog, bytes: number): void {
    if (this.#failed.has(log)) return;
    this.#dirty.set(log, (this.#dirty.get(log) ?? 0) + bytes);
    if (this.#scheduled || this.#busy.has(log)) return;
    this.#scheduled = true;
    process.nextTick(() => this.#flush());
  }

  /** Writes all waiting frames before it returns, or throws. */
  flushNow(log: PendingLog): void {
    log.flush();
    this.#dirty.delete(log);
    this.#failed.delete(log);
  }

  #flush(): void {
    this.#scheduled = false;
    for (const [log, bytes] of this.#dirty) {
      if (this.#busy.has(log)) continue; // written when the current write ends
      this.#dirty.delete(log);
      if (bytes >= largeBytes) void this.#writeInThread(log);
      else this.#writeNow(log);
    }
  }

  #writeNow(log: PendingLog): void {
    try {
      log.flush();
    } catch (error) {
      this.#fail(log, error);
    }
  }

  /** Never rejects. */
  async #writeInThread(log: PendingLog): Promise<void> {
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

  #fail(log: PendingLog, error: unknown): void {
    this.#failed.add(log);
    if (this.#retry === undefined) this.#retry = setTimeout(() => this.#retryFailed(), retryMs);
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#onWriteError(error instanceof Error ? error : new Error(String(error)));
  }

  #retryFailed(): void {
    this.#retry = undefined;
    const failed = [...this.#failed];
    this.#failed.clear();
    for (const log of failed) this.#writeNow(log);
    if (this.#failed.size > 0) return;
    this.#isFailing = false;
    this.#onWriteError(null);
  }
}
