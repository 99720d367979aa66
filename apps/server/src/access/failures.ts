// Counts wrong tokens and codes per address, and throttles an address with too many. @fastify/rate-limit would count every request,
// before it is known whether it fails; here a right token costs one lookup in a map that is nearly always empty.
import { PatchbayError } from "@patchbay/protocol";
import { addressGroup } from "./network/address-group.ts";
import { isLoopback } from "./network/exposure.ts";

const windowMs = 60_000;

/** About 100 bytes each. Beyond it the oldest are removed: throttling does not stop an attacker with so many addresses. */
const maxAddresses = 10_000;

export class ThrottledError extends PatchbayError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(
      "too_many",
      `Too many failed logins from this address. Wait ${retryAfterSeconds} seconds and try again.`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Failures {
  count: number;
  /** When they expire; monotonic. */
  until: number;
}

export class FailedLogins {
  readonly #limit: number;
  readonly #throttled: (address: string) => void;
  readonly #failures = new Map<string, Failures>();

  /** `throttled` is called once when an address is throttled. */
  constructor(limit: number, throttled: (address: string) => void) {
    this.#limit = limit;
    this.#throttled = throttled;
  }

  /**
   * Called before a right token is accepted. Programs of this machine share the loopback address, and one with an old token must not
   * lock out the others: there, only failures are throttled.
   */
  checkRight(address: string): void {
    if (this.#failures.size > 0 && !isLoopback(address)) this.#check(addressGroup(address));
  }

  /** Counts a failure; throws when there were too many. */
  failed(address: string): void {
    const group = addressGroup(address);
    this.#check(group);
    const known = this.#failures.get(group);
    const count = (known?.count ?? 0) + 1;
    this.#failures.delete(group);
    this.#failures.set(group, { count, until: known?.until ?? performance.now() + windowMs });
    if (count === this.#limit) this.#throttled(group);
    if (this.#failures.size > maxAddresses) this.#failures.delete(this.#failures.keys().next().value ?? "");
  }

  #check(group: string): void {
    const known = this.#failures.get(group);
    if (known === undefined) return;
    const leftMs = known.until - performance.now();
    if (leftMs <= 0) this.#failures.delete(group);
    else if (known.count >= this.#limit) throw new ThrottledError(Math.ceil(leftMs / 1_000));
  }
}
