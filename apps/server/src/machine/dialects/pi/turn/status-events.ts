// What the program tells beside the answer: retries, compactions of its own accord, notices, errors of extensions.
import type { TypedFrameOutput } from "../../frame-output.ts";
import * as wire from "../wire/schemas.ts";
import type { TurnFrames } from "./turn-frames.ts";
import type { Turns } from "./turns.ts";

/** False: this is none of it. */
export function tellNews(
  type: string,
  value: object,
  { out, turns, frames }: { out: TypedFrameOutput; turns: Turns; frames: TurnFrames },
): boolean {
  switch (type) {
    case "auto_retry_start": {
      const retry = wire.RetryStart.parse(value);
      turns.retryStarts();
      out.frame({ type, ...retry });
      return true;
    }
    case "auto_retry_end": {
      const end = wire.RetryEnd.parse(value);
      out.frame({ type, ...end });
      turns.retryEnds(end.success ? undefined : (end.finalError ?? "The retries were given up."));
      return true;
    }
    case "compaction_start":
    case "auto_compaction_start": {
      const { reason } = wire.CompactionStart.parse(value);
      turns.compactionStarts();
      if (reason !== "manual") out.frame({ type: "auto_compaction_start", reason });
      return true;
    }
    case "compaction_end":
    case "auto_compaction_end":
      compactionEnds(wire.CompactionEnd.parse(value), out, frames);
      turns.compactionEnds();
      return true;
    case "notice": {
      const { level, message, source } = wire.Notice.parse(value);
      const known = level === "warning" ? "warn" : level;
      out.frame({ type: "ext_notify", extension: source ?? "agent", level: known, message });
      return true;
    }
    case "command_output":
      out.frame({ type: "ext_display", extension: "agent", text: wire.CommandOutput.parse(value).text });
      return true;
    case "extension_error":
      out.line(Buffer.from(JSON.stringify(value)));
      return true;
    case "session_info_changed":
      out.line(Buffer.from(JSON.stringify(value)));
      return true;
    default:
      return false;
  }
}

/** One that a person asked for ends with its response. */
function compactionEnds(
  end: ReturnType<typeof wire.CompactionEnd.parse>,
  out: TypedFrameOutput,
  frames: TurnFrames,
): void {
  const { reason, aborted, willRetry, errorMessage, result } = end;
  if (reason === "manual") return;
  if (aborted || (result !== undefined && result !== null)) frames.compacted(result?.usage);
  const failed = errorMessage === undefined ? {} : { errorMessage };
  out.frame({ type: "auto_compaction_end", aborted, willRetry, ...failed });
  if (result !== undefined && result !== null) out.frame({ type: "compact_done", summary: result.summary });
}
