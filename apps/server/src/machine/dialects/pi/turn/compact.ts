// A compaction that a person asked for. omp sends nothing about it but the response, so the response ends it.
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameWriter } from "../../frame-writer.ts";
import { errorOf, type PiClient } from "../wire/rpc-client.ts";
import { CompactionEnd } from "../wire/schemas.ts";
import type { PiTurnFrames } from "./turn-frames.ts";

interface CompactOptions {
  client: PiClient;
  out: TypedFrameWriter;
  frames: PiTurnFrames;
  /** A person has aborted it. */
  wasStopped(): boolean;
  onOver(): void;
}

export function compact(
  command: WorkerBound,
  { client, out, frames, wasStopped, onOver }: CompactOptions,
): void {
  const { customInstructions } = command;
  const options = typeof customInstructions === "string" ? { customInstructions } : {};
  out.respond(command, { data: { started: true } });
  client.request({ type: "compact", ...options }, (response) => {
    const result = CompactionEnd.shape.result.safeParse(response.data).data;
    out.batch(() => {
      if (response.success) {
        frames.compacted(result);
        out.frame({ type: "compact_done", summary: result?.summary ?? "" });
      } else if (wasStopped()) {
        frames.compacted(undefined); // the programs do not report what it had used by then
        out.frame({ type: "error", message: "aborted" });
      } else out.frame({ type: "error", message: errorOf(response) });
      out.frame({ type: "done" });
    });
    onOver();
  });
}
