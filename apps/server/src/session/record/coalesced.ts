// Joins many signals into one call: at once means once per turn of the event loop, soon means a few times a second.

/** Numbers that run (tokens, money, viewers) need not be sent faster than a person reads. */
const soonMs = 100;

export class Coalesced {
  #listener: () => void;
  #isScheduled = false;
  #soon: NodeJS.Timeout | undefined;

  constructor(listener: () => void = () => {}) {
    this.#listener = listener;
  }

  /** In place of the listener so far. */
  listen(listener: () => void): void {
    this.#listener = listener;
  }

  /** When this turn of the event loop is over: behind the frames that caused it. */
  signal(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      clearTimeout(this.#soon);
      this.#soon = undefined;
      this.#listener();
    });
  }

  signalSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.#listener();
    }, soonMs).unref();
  }
}
