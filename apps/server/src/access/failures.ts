// Counts wrong tokens and codes per address, and throttles an address with too many. @fastify/rate-limit would count every request,
// before it is known whether it fails; here a right token costs one lookup in a map that is nearly always empty.
import { PatchbayError } from "@patchbay/protocol";
import { addressGroup } from "./network/address-group.ts";
import { isLoopback } from "./network/exposure.ts";

const windowMs = 60_000;

/** About 100 bytes each. Beyond it the oldest are removed: throttling does not stop an attacker with so many addresses. */
const maxKeys = 10_000;

export class ThrottledError extends PatchbayError {
  readonly retryAfterSeconds: number;

  constructor(waitMs: number, what = "Too many failed logins from this address.") {
    const seconds = Math.ceil(waitMs / 1_000);
    const wait = seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
    super("too_many", `${what} Wait ${wait} and try again.`);
    this.retryAfterSeconds = seconds;
  }
}

interface Failures {
  count: number;
  /** When they expire; monotonic. */
  until: number;
}

/** Counts failures by a key, each for `windowMs` from the first one. */
export class FailureCounts {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #failures = new Map<string, Failures>();

  constructor(limit: number, windowMs: number) {
    this.#limit = limit;
    this.#windowMs = windowMs;
  }

  get isEmpty(): boolean {
    return this.#failures.size === 0;
  }

  /** For how long the key has to wait; 0: it does not. */
  waitMs(key: string): number {
    const known = this.#failures.get(key);
    if (known === undefined) return 0;
    const leftMs = known.until - performance.now();
    if (leftMs <= 0) this.#failures.delete(key);
    return leftMs > 0 && known.count >= this.#limit ? leftMs : 0;
  }

  /** True: the key has to wait from now on. */
  add(key: string): boolean {
    const known = this.#failures.get(key);
    const count = (known?.count ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, { count, until: known?.until ?? performance.now() + this.#windowMs });
    if (this.#failures.size > maxKeys) this.#failures.delete(this.#failures.keys().next().value ?? "");
    return count === this.#limit;
  }

  /** What was counted was no failure after all. */
  takeBack(key: string): void {
    const known = this.#failures.get(key);
    if (known === undefined) return;
    if (known.count <= 1) this.#failures.delete(key);
    else known.count -= 1;
  }
}

export class FailedLogins {
  readonly #throttled: (address: string) => void;
  readonly #counts: FailureCounts;

  /** `throttled` is called once when an address is throttled. */
  constructor(limit: number, throttled: (address: string) => void) {
    this.#counts = new FailureCounts(limit, windowMs);
    this.#throttled = throttled;
  }

  /**
   * Called before a right token is accepted. Programs of this machine share the loopback address, and one with an old token must not
   * lock out the others: there, only failures are throttled.
   */
  checkRight(address: string): void {
    if (!this.#counts.isEmpty && !isLoopback(address)) this.#check(addressGroup(address));
  }

  /** Counts a failure; throws when there were too many. */
  failed(address: string): void {
    const group = addressGroup(address);
    this.#check(group);
    if (this.#counts.add(group)) this.#throttled(group);
  }

  #check(group: string): void {
    const waitMs = this.#counts.waitMs(group);
    if (waitMs > 0) throw new ThrottledError(waitMs);
  }
}
