// How a session's worker is doing, and how long nothing has happened.
import type { Resources } from "@patchbay/protocol";

export class WorkerStats {
  #resources: Resources | undefined;
  #touchedAt = performance.now();

  /** What the worker used when it was last measured. */
  get resources(): Resources | undefined {
    return this.#resources;
  }

  /** Since something last changed. */
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
