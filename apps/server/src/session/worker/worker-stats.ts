// The resource use of a session's worker, and the time since the session last changed.
import type { Resources } from "@patchbay/protocol";

export class WorkerStats {
  #resources: Resources | undefined;
  #touchedAt = performance.now();

  /** As of the last measurement. */
  get resources(): Resources | undefined {
    return this.#resources;
  }

  /** Since the session last changed. */
  get idleMs(): number {
    return performance.now() - this.#touchedAt;
  }

  touch(): void {
    this.#touchedAt = performance.now();
  }

  /** True when there is something to show. */
  measure(worker: { resources(): Resources | undefined } | undefined): boolean {
    this.#resources = worker?.resources();
    return this.#resources !== undefined;
  }
}
