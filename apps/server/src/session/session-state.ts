// A session's state as programs outside see it, from its worker, its turn and its questions.
import type { SessionState } from "@patchbay/protocol";
import type { WorkerSlot } from "./worker-slot.ts";

export function sessionState(worker: WorkerSlot, isRunning: boolean, hasQuestion: boolean): SessionState {
  switch (worker.is) {
    case "empty":
      return worker.failure === undefined ? "stopped" : "failed";
    case "starting":
      return "starting";
    case "stopping":
      return "stopped";
    case "ready":
      if (hasQuestion) return "waiting";
      return isRunning ? "busy" : "idle";
  }
}
