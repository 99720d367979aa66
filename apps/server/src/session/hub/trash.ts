// Deletion that can be undone: a session is hidden at once and deleted later. The time is in its record, so that
// the deletion and its undo survive a restart of the server.

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

  /** Cancels the pending deletion: the session was restored, or is being deleted now. */
  take(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
