// Counts wrong tokens and codes per address, and says when an address has to wait. Not @fastify/rate-limit: that counts
// every request, before it is known whether it fails; here a right token costs one look into a map that is nearly always empty.
import { PatchbayError } from "@patchbay/protocol";
import { addressGroup } from "./network/address-group.ts";
import { isLoopback } from "./network/exposure.ts";

const windowMs = 60_000;

/** About 100 bytes each. Beyond it the oldest are forgotten: an attacker with so many addresses is not slowed down by this. */
const maxAddresses = 10_000;

/** An error that says how long to wait. */
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
  /** When they are forgotten; monotonic. */
  until: number;
}

export class FailedLogins {
  readonly #limit: number;
  readonly #throttled: (address: string) => void;
  readonly #failures = new Map<string, Failures>();

  /** `throttled` is called once when an address begins to be refused. */
  constructor(limit: number, throttled: (address: string) => void) {
    this.#limit = limit;
    this.#throttled = throttled;
  }

  /**
   * Before a right token counts. Other programs of this machine share the loopback address and must not be locked out by
   * one that has an old token; there, only failures have to wait.
   */
  checkRight(address: string): void {
    if (this.#failures.size > 0 && !isLoopback(address)) this.#check(addressGroup(address));
  }

  /** Counts a wrong one; throws when there were too many. */
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
