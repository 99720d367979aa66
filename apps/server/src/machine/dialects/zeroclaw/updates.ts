// Converts the updates that only add to what is shown: tool calls, and a notice when the agent's history was trimmed.

import type { TurnFrames } from "../acp/turn/turn-frames.ts";
import type { OutputFrame } from "../frame-writer.ts";
import { type DaemonUpdate, HistoryTrimmed } from "./schemas.ts";

export function applyToolUpdate(frames: TurnFrames, update: DaemonUpdate): void {
  const toolCallId = String(update["tool_call_id"]);
  switch (update.type) {
    case "tool_call": {
      const name = String(update["name"]);
      const kind = name === "shell" ? "execute" : "other";
      return frames.tool({ toolCallId, name, kind, status: "in_progress", rawInput: update["raw_input"] });
    }
    case "tool_result":
      return frames.tool({ toolCallId, status: "completed", rawOutput: update["raw_output"] });
    default: // an update of a newer daemon
  }
}

export function trimmedNotice(update: DaemonUpdate): OutputFrame[] {
  const { data } = HistoryTrimmed.safeParse(update);
  if (data === undefined) return [];
  const { dropped_messages: dropped, kept_turns: kept, reason } = data;
  const why = reason === "" ? "" : ` (${reason})`;
  const message = `The agent no longer remembers ${dropped === 1 ? "its oldest message" : `its ${dropped} oldest messages`}${why}; the last ${kept === 1 ? "turn is" : `${kept} turns are`} kept.`;
  return [{ type: "ext_notify", extension: "zeroclaw", level: "warn", message }];
}
