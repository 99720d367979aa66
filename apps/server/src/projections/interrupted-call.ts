// A model call whose worker dies before it reports the usage: what the provider had reported until then was spent,
// and is charged as the call's usage.
import type { Frame, UsageEvent, UsageSoFarEvent } from "@patchbay/protocol";

export class InterruptedCall {
  #soFar: UsageSoFarEvent | null = null;

  frame(frame: Frame): void {
    if (frame.type === "usage_so_far") this.#soFar = frame;
    // The call's own usage includes it; and a worker that starts has no call of an earlier worker.
    else if (frame.type === "usage" || frame.type === "worker") this.#soFar = null;
  }

  /** The usage of the interrupted call; null when there was none. */
  take(): UsageEvent | null {
    const soFar = this.#soFar;
    this.#soFar = null;
    return soFar === null ? null : { ...soFar, type: "usage", purpose: "interrupted" };
  }
}
