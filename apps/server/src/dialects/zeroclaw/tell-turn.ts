// The updates that only add to a turn: words and tools.
import type { Turn } from "../acp/turn.ts";
import type { Update } from "./answers.ts";

export function tellTurn(turn: Turn, update: Update): void {
  const text = typeof update["text"] === "string" ? update["text"] : "";
  const toolCallId = String(update["tool_call_id"]);
  switch (update.type) {
    case "agent_message_chunk":
      return turn.text("text", text);
    case "agent_thought_chunk":
      return turn.text("thinking", text);
    case "tool_call": {
      const name = String(update["name"]);
      const kind = name === "shell" ? "execute" : "other";
      return turn.tool({ toolCallId, name, kind, status: "in_progress", rawInput: update["raw_input"] });
    }
    case "tool_result":
      return turn.tool({ toolCallId, status: "completed", rawOutput: update["raw_output"] });
    default: // `history_trimmed`, and what a newer daemon says
  }
}
