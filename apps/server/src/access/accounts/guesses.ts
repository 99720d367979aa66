// Throttles guesses of passwords: per address, and per name wherever they come from. A device on which the person has logged in before has
// a count of its own, so that strangers who guess a name do not lock its owner out (docs/decisions/021).

import { FailureCounts, ThrottledError } from "../failures.ts";
import { addressGroup } from "../network/address-group.ts";
import { isLoopback } from "../network/exposure.ts";

const minuteMs = 60_000;
const perName = 20;
const perNameMs = 15 * minuteMs;
const perDevice = 10;

interface Guess {
  handle: string;
  address: string;
  /** The device, where the person has logged in on it before. */
  device: string | undefined;
}

export class Guesses {
  readonly #byAddress: FailureCounts;
  readonly #byName = new FailureCounts(perName, perNameMs);
  readonly #byDevice = new FailureCounts(perDevice, minuteMs);
  readonly #throttled: (what: string) => void;

  constructor(perAddress: number, throttled: (what: string) => void) {
    this.#byAddress = new FailureCounts(perAddress, minuteMs);
    this.#throttled = throttled;
  }

  /**
   * Counts the guess before it is checked: many at once must not all pass. Call what it returns if the password was right. Throws when
   * there were too many.
   */
  begin({ handle, address, device }: Guess): () => void {
    if (device !== undefined) return this.#count(this.#byDevice, device, "Too many wrong passwords.");
    const takeBackName = this.#count(this.#byName, handle, tooManyForName);
    // All programs and tunnels of this machine share its address.
    if (isLoopback(address)) return takeBackName;
    try {
      const takeBackAddress = this.#count(this.#byAddress, addressGroup(address));
      return () => {
        takeBackName();
        takeBackAddress();
      };
    } catch (error) {
      takeBackName();
      throw error;
    }
  }

  #count(counts: FailureCounts, key: string, sentence?: string): () => void {
    const waitMs = counts.waitMs(key);
    if (waitMs > 0) throw new ThrottledError(waitMs, sentence);
    if (counts.add(key)) this.#throttled(counts === this.#byAddress ? key : "a name");
    return () => counts.takeBack(key);
  }
}

/** For a name that does not exist too: it must not tell. */
const tooManyForName =
  "Too many wrong passwords for this name. Log in on a device that you have used before, or ask an admin for a new link.";
