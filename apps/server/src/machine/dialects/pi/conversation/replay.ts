// Emits the whole conversation as frames after the program has switched to another session: a transcript is built from frames
// only.
import type { TypedFrameWriter } from "../../frame-writer.ts";
import { toBlocks, toResult, toTime } from "../wire/blocks.ts";
import { Messages, PiMessage } from "../wire/schemas.ts";

export function replayConversation(data: unknown, out: TypedFrameWriter): void {
  const messages = Messages.safeParse(data).data?.messages ?? [];
  out.batch(() => {
    out.frame({ type: "cleared", time: new Date().toISOString() });
    for (const given of messages) {
      const message = PiMessage.safeParse(given).data;
      if (message !== undefined) emitMessage(message, out);
    }
    out.frame({ type: "done" });
  });
}

function emitMessage(message: PiMessage, out: TypedFrameWriter): void {
  const time = toTime(message.timestamp);
  switch (message.role) {
    case "user":
      return out.frame({ type: "user_message", content: toBlocks(message.content), time });
    case "assistant": {
      const content = toBlocks(message.content);
      if (content.length === 0) return;
      out.frame({ type: "turn_start", step: 1 });
      out.frame({ type: "assistant_message", content, time });
      return out.frame({
        type: "turn_end",
        stop: content.some(({ type }) => type === "tool_call") ? "tool_use" : "end",
      });
    }
    case "toolResult":
      if (message.toolCallId === undefined) return;
      return out.frame({
        type: "tool_result",
        id: message.toolCallId,
        is_error: message.isError ?? false,
        content: toResult(message.content),
      });
    default: // the program's own entries: a person's shell commands, summaries
  }
}
