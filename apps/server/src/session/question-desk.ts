// What becomes of a worker's questions: they are kept, the worker hears the answer, and the log tells how each ended.
import type { ServerEvent } from "@patchbay/protocol";
import type { Keeper } from "./keeper.ts";
import { now } from "./own-frames.ts";
import { Questions, type Resolution } from "./questions.ts";
import type { WorkerSlot } from "./worker-slot.ts";

interface Surroundings {
  keep: Keeper;
  worker(): WorkerSlot;
  append(event: ServerEvent): void;
  changed(): void;
}

export function openQuestions({ keep, worker, append, changed }: Surroundings): Questions {
  const resolved = (id: string, { by, ...answer }: Resolution): void => {
    const frame = { type: "ui_resolved", id, time: now(), by, ...answer } as const;
    if (by !== "withdrawn") worker().ready?.tell({ type: "extension_ui_response", id, ...answer });
    // After the run that withdraws or asks it: a frame of ours in the middle would take the number of one of the worker's.
    if (by === "withdrawn" || by === "refused") queueMicrotask(() => append(frame));
    else append(frame);
  };
  return new Questions({
    resolved,
    changed: (pending) => {
      keep.questions(pending);
      changed();
    },
  });
}
