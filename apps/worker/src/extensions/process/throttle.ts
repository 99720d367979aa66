// A token bucket: a burst is let through at once, then a number per second.

export class Throttle {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #at = performance.now();

  constructor(options: { burst: number; perSecond: number }) {
    this.#burst = options.burst;
    this.#perSecond = options.perSecond;
    this.#left = options.burst;
  }

  /** False: over the rate, drop it. */
  take(): boolean {
    this.#refill();
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  /** Takes it in any case, and returns for how many milliseconds the producer should wait. */
  delayFor(amount: number): number {
    this.#refill();
    this.#left -= amount;
    return this.#left >= 0 ? 0 : (-this.#left / this.#perSecond) * 1_000;
  }

  #refill(): void {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
  }
}
