// A compaction that a person asked for. omp says nothing of it but the response, so the response is what counts.
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameOutput } from "../../frame-output.ts";
import { type Asks, errorOf } from "../wire/rpc-client.ts";
import { CompactionEnd } from "../wire/schemas.ts";
import type { TurnFrames } from "./turn-frames.ts";

interface Around {
  asks: Asks;
  out: TypedFrameOutput;
  frames: TurnFrames;
  /** A person has asked for its end. */
  wasStopped(): boolean;
  over(): void;
}

export function compact(command: WorkerBound, { asks, out, frames, wasStopped, over }: Around): void {
  const { customInstructions } = command;
  const wanted = typeof customInstructions === "string" ? { customInstructions } : {};
  out.respond(command, { data: { started: true } });
  asks.ask({ type: "compact", ...wanted }, (response) => {
    const result = CompactionEnd.shape.result.safeParse(response.data).data;
    out.batch(() => {
      if (response.success) {
        frames.compacted(result?.usage);
        out.frame({ type: "compact_done", summary: result?.summary ?? "" });
      } else if (wasStopped()) {
        frames.compacted(undefined); // what it had used by then, nobody says
        out.frame({ type: "error", message: "aborted" });
      } else out.frame({ type: "error", message: errorOf(response) });
      out.frame({ type: "done" });
    });
    over();
  });
}
