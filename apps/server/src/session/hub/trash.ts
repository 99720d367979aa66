// Deletion that can be undone: a session is out of sight at once and gone when its time has come. The time is in
// its record, so a restart of the server forgets neither the deletion nor that it can be undone.

interface TrashOptions {
  delete(id: string): Promise<void>;
  failed(error: unknown, id: string): void;
}

export class Trash {
  readonly #options: TrashOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: TrashOptions) {
    this.#options = options;
  }

  put(id: string, deletesAt: string): void {
    this.take(id);
    const remaining = Math.max(0, Date.parse(deletesAt) - Date.now());
    const timer = setTimeout(() => {
      this.#timers.delete(id);
      this.#options.delete(id).catch((error: unknown) => this.#options.failed(error, id));
    }, remaining);
    this.#timers.set(id, timer.unref());
  }

  /** Out of the trash: wanted back, or deleted for good by somebody else. */
  take(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
