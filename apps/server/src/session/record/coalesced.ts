// Coalesces signals into one call: `signal` once per turn of the event loop, `signalSoon` a few times a second.

/** Counters (tokens, money, viewers) need not be sent faster than a person reads. */
const soonMs = 100;

export class Coalesced {
  #listener: () => void;
  #isScheduled = false;
  #soon: NodeJS.Timeout | undefined;

  constructor(listener: () => void = () => {}) {
    this.#listener = listener;
  }

  /** Replaces the listener. */
  listen(listener: () => void): void {
    this.#listener = listener;
  }

  /** Calls the listener after this turn of the event loop, so behind the frames that caused the signal. */
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
