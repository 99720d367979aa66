// Tells of changes, however many there are: at once means once per tick, soon means a few times a second.

/** Numbers that run (tokens, money, viewers) need not be told faster than a person reads. */
const soonMs = 100;

export class Changes {
  readonly #tell: () => void;
  #now = false;
  #soon: NodeJS.Timeout | undefined;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** When this turn of the event loop is over: behind the frames that caused it, and in nobody's way. */
  tellNow(): void {
    if (this.#now) return;
    this.#now = true;
    setImmediate(() => {
      this.#now = false;
      clearTimeout(this.#soon);
      this.#soon = undefined;
      this.#tell();
    });
  }

  tellSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#tell();
    }, soonMs).unref();
  }
}
