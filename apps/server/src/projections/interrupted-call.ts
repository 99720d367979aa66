// A model call whose worker dies before it could say what the call used: what the provider had told until then was
// spent, and is charged as the call's usage.
import type { Frame, UsageEvent, UsageSoFarEvent } from "@patchbay/protocol";

export class InterruptedCall {
  #soFar: UsageSoFarEvent | null = null;

  frame(frame: Frame): void {
    if (frame.type === "usage_so_far") this.#soFar = frame;
    // A call's own usage is all of it; and a worker that starts has no call of an earlier one.
    else if (frame.type === "usage" || frame.type === "worker") this.#soFar = null;
  }

  /** The usage of the call that was cut; null when there was none. */
  take(): UsageEvent | null {
    const soFar = this.#soFar;
    this.#soFar = null;
    return soFar === null ? null : { ...soFar, type: "usage", purpose: "interrupted" };
  }
}
