// The updates that only add to what is shown: tools, and what the agent had to forget.

import type { Turn } from "../acp/turn/turn-frames.ts";
import type { OwnFrame } from "../frame-output.ts";
import { Trimmed, type Update } from "./schemas.ts";

export function tellTools(turn: Turn, update: Update): void {
  const toolCallId = String(update["tool_call_id"]);
  switch (update.type) {
    case "tool_call": {
      const name = String(update["name"]);
      const kind = name === "shell" ? "execute" : "other";
      return turn.tool({ toolCallId, name, kind, status: "in_progress", rawInput: update["raw_input"] });
    }
    case "tool_result":
      return turn.tool({ toolCallId, status: "completed", rawOutput: update["raw_output"] });
    default: // what a newer daemon says
  }
}

export function trimmedNotice(update: Update): OwnFrame[] {
  const { data } = Trimmed.safeParse(update);
  if (data === undefined) return [];
  const { dropped_messages: dropped, kept_turns: kept, reason } = data;
  const why = reason === "" ? "" : ` (${reason})`;
  const message = `The agent no longer remembers ${dropped === 1 ? "its oldest message" : `its ${dropped} oldest messages`}${why}; the last ${kept === 1 ? "turn is" : `${kept} turns are`} kept.`;
  return [{ type: "ext_notify", extension: "zeroclaw", level: "warn", message }];
}
