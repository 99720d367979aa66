// Converts frames of a session to zeroclaw's `session/update` notifications. Keeps the state they need: the names of running tools,
// and the text for the end of the turn.
import {
  type Frame,
  messageText,
  questionMethods,
  reportedUsage,
  type TurnEnding,
  TurnTracker,
  type UiRequestEvent,
} from "@patchbay/protocol";

export type LocalUpdate = { type: string } & Record<string, unknown>;

/** The running turn: what the notification of its end needs. */
interface Turn {
  /** The newest message: its deltas, then its final text. Long messages often have only deltas. */
  text: string;
}

/** The text of streamed deltas that the end repeats. Its line must stay below the limit of peers (8 MiB). */
const longestText = 4 * 1024 * 1024;

export class Updates {
  #turn: Turn | null = null;
  readonly #turns = new TurnTracker();
  readonly #tools = new Map<string, string>();

  /** The viewer attaches during a turn. `text`: the newest message so far. */
  midTurn(text: string): void {
    this.#turn = { text: text.slice(0, longestText) };
    this.#turns.begin();
  }

  /** Returns the notification for a frame; null: none. */
  of(frame: Frame): LocalUpdate | null {
    const ending = this.#turns.frame(frame);
    if (ending !== null) return this.#end(ending);
    switch (frame.type) {
      case "user_message":
        this.#turn = { text: "" };
        return { type: "user_message_chunk", text: messageText(frame) };
      case "turn_start":
      case "assistant_start": // a retried call of the same step starts over
        if (this.#turn !== null) this.#turn.text = "";
        return null;
      case "text_delta":
        this.#grow(frame.delta);
        return { type: "agent_message_chunk", text: frame.delta };
      case "thinking_delta":
        return { type: "agent_thought_chunk", text: frame.delta };
      case "assistant_message":
        if (this.#turn !== null) this.#turn.text = messageText(frame);
        return null;
      case "tool_call":
        this.#tools.set(frame.id, frame.name);
        return { type: "tool_call", tool_call_id: frame.id, name: frame.name, raw_input: frame.args };
      case "tool_result":
        return {
          type: "tool_result",
          tool_call_id: frame.id,
          name: this.#tools.get(frame.id) ?? "tool",
          raw_output: messageText(frame),
          is_error: frame.is_error,
        };
      case "usage":
        return {
          type: "context_usage",
          input_tokens: frame.input + frame.cache_read + frame.cache_write,
          output_tokens: frame.output,
          cost_usd: frame.cost_usd,
          unpriced_calls: reportedUsage(frame).unpriced ?? 0,
        };
      case "extension_ui_request":
        return questionMethods.has(frame.method) ? approvalRequest(frame) : null;
      case "ui_resolved":
        return { type: "approval_resolved", request_id: frame.id, by: frame.by };
      default:
        return null; // zeroclaw's protocol has no such notification
    }
  }

  #grow(delta: string): void {
    const turn = this.#turn;
    if (turn === null || turn.text.length >= longestText) return;
    turn.text += delta.slice(0, longestText - turn.text.length);
  }

  #end({ outcome, error }: TurnEnding): LocalUpdate {
    const text = this.#turn?.text ?? "";
    this.#turn = null;
    this.#tools.clear();
    if (outcome === "stopped")
      return { type: "turn_complete", outcome: "cancelled", content: "turn cancelled" };
    if (outcome === "done") return { type: "turn_complete", outcome: "completed", content: text };
    return {
      type: "turn_complete",
      outcome: "failed",
      content: `turn failed: ${error ?? "no reason given"}`,
    };
  }
}

function approvalRequest(question: UiRequestEvent): LocalUpdate {
  const { id, method, title, message, options, timeout } = question;
  return {
    type: "approval_request",
    request_id: id,
    tool_name: typeof question["tool"] === "string" ? question["tool"] : (title ?? method),
    arguments_summary: message ?? title ?? "",
    method,
    ...(options === undefined ? {} : { options }),
    ...(timeout === undefined ? {} : { timeout_secs: Math.ceil(timeout / 1000) }),
  };
}
