// Counts the HTTP calls that stay open: event streams, and calls that wait for a turn. Each holds a socket and buffers.
import { PatchbayError } from "@patchbay/protocol";

export class OpenCalls {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws 429 when there are too many. Returns a function that must be called once, when the call has ended. */
  enter(): () => void {
    if (this.#count >= this.#max)
      throw new PatchbayError(
        "too_many",
        "Too many calls are open on this server. Close one, or call again without waiting.",
      );
    this.#count++;
    return () => {
      this.#count--;
    };
  }
}
