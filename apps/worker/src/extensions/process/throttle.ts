// How much of something is let through: so many at once, and then so many per second.

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

  /** False: too much, leave it out. */
  take(): boolean {
    this.#refill();
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  /** Takes it in any case, and says for how many milliseconds the giver should be kept waiting. */
  owe(amount: number): number {
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
