// Converts the frames that do not belong to an answer: retries, automatic compactions, notices, errors of extensions.
import type { TypedFrameWriter } from "../../frame-writer.ts";
import * as schemas from "../wire/schemas.ts";
import type { PiTurnFrames } from "./turn-frames.ts";
import type { PiTurns } from "./turns.ts";

/** Returns false for any other frame. */
export function emitStatusEvent(
  type: string,
  value: object,
  { out, turns, frames }: { out: TypedFrameWriter; turns: PiTurns; frames: PiTurnFrames },
): boolean {
  switch (type) {
    case "auto_retry_start": {
      const retry = schemas.RetryStart.parse(value);
      turns.retryStarts();
      out.frame({ type, ...retry });
      return true;
    }
    case "auto_retry_end": {
      const end = schemas.RetryEnd.parse(value);
      out.frame({ type, ...end });
      turns.retryEnds(end.success ? undefined : (end.finalError ?? "All retries failed."));
      return true;
    }
    case "compaction_start":
    case "auto_compaction_start": {
      const { reason } = schemas.CompactionStart.parse(value);
      turns.compactionStarts();
      if (reason !== "manual") out.frame({ type: "auto_compaction_start", reason });
      return true;
    }
    case "compaction_end":
    case "auto_compaction_end":
      compactionEnds(schemas.CompactionEnd.parse(value), out, frames);
      turns.compactionEnds();
      return true;
    case "notice": {
      const { level, message, source } = schemas.Notice.parse(value);
      const known = level === "warning" ? "warn" : level;
      out.frame({ type: "ext_notify", extension: source ?? "agent", level: known, message });
      return true;
    }
    case "command_output":
      out.frame({ type: "ext_display", extension: "agent", text: schemas.CommandOutput.parse(value).text });
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

/** A compaction that a person asked for ends with its response, in compact.ts. */
function compactionEnds(
  end: ReturnType<typeof schemas.CompactionEnd.parse>,
  out: TypedFrameWriter,
  frames: PiTurnFrames,
): void {
  const { reason, aborted, willRetry, errorMessage, result } = end;
  if (reason === "manual") return;
  if (aborted || (result !== undefined && result !== null)) frames.compacted(result);
  const failed = errorMessage === undefined ? {} : { errorMessage };
  out.frame({ type: "auto_compaction_end", aborted, willRetry, ...failed });
  if (result !== undefined && result !== null) out.frame({ type: "compact_done", summary: result.summary });
}
