// The updates that only add to a turn: words, tools, and how full the context is.
import type { Outlet } from "../acp/outlet.ts";
import type { Turn } from "../acp/turn.ts";
import type { Update } from "./answers.ts";

export function tellTurn(turn: Turn, outlet: Outlet, update: Update): void {
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
    case "context_usage": {
      // Costs are not told: unknown, not nothing.
      const input = update["input_tokens"];
      if (typeof input !== "number" || !turn.isNewContext(input)) return;
      const tokens = { input, output: 0, cache_read: 0, cache_write: 0 };
      return outlet.frame({ type: "usage", ...tokens, cost_usd: 0, unpriced: 1, incomplete: true });
    }
    default: // `history_trimmed`, and what a newer daemon says
  }
}
