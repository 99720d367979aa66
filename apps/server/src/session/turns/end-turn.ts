// Ends whatever the worker does, also what it began by itself: work that no prompt of ours started costs all the same.

import type { WorkerSlot } from "../worker/worker-slot.ts";
import type { Turns } from "./turns.ts";

export async function endTurn(turns: Turns, worker: WorkerSlot): Promise<void> {
  if (turns.running !== null) await turns.abort();
  else await worker.ready?.ask({ type: "abort" });
}
