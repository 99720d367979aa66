// A compaction that a person asked for. omp says nothing of it but the response, so the response is what counts.
import type { WorkerBound } from "../dialect.ts";
import { type Asks, errorOf } from "./asks.ts";
import type { Outlet } from "./outlet.ts";
import { CompactionEnd } from "./wire.ts";

export function compact(
  command: WorkerBound,
  { asks, out }: { asks: Asks; out: Outlet },
  over: () => void,
): void {
  const { customInstructions } = command;
  const wanted = typeof customInstructions === "string" ? { customInstructions } : {};
  out.respond(command, { data: { started: true } });
  asks.ask({ type: "compact", ...wanted }, (response) => {
    const summary = CompactionEnd.shape.result.safeParse(response.data).data?.summary;
    out.batch(() => {
      if (response.success) out.frame({ type: "compact_done", summary: summary ?? "" });
      else out.frame({ type: "error", message: errorOf(response) });
      out.frame({ type: "done" });
    });
    over();
  });
}
