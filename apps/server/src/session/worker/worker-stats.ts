// How a session's worker is doing, and how long nothing has happened.
import type { Resources } from "@patchbay/protocol";
import { ResourceMeter } from "../../machine/processes/resources.ts";

export class WorkerStats {
  #meter = new ResourceMeter();
  #pid: number | undefined;
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

  /** True when there is something to tell. */
  measure(pid: number | undefined): boolean {
    if (pid !== this.#pid) this.#meter = new ResourceMeter();
    this.#pid = pid;
    this.#resources = pid === undefined ? undefined : this.#meter.sample(pid);
    return this.#resources !== undefined;
  }
}
