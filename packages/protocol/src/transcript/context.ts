// What the model itself still sees of a transcript: everything since the last compaction, which is
// what a restarted worker must be given back.
import type { ContentBlock, Message } from "../events/message.ts";
import type { Transcript } from "./transcript.ts";

export const compactedHeading = "## Context Summary (compacted)";

export function contextMessages(transcript: Transcript): Message[] {
  const compaction = transcript.marks.findLast((mark) => mark.kind === "compaction");
  if (compaction === undefined) return dropUnanswered(dropUncalled(transcript.messages));
  const tail = transcript.messages.slice(Math.max(0, compaction.at - compaction.kept));
  return dropUnanswered(compactedMessages(compaction.summary, tail));
}

/** A summary and the messages kept after it; results whose call went into the summary are dropped. */
export function compactedMessages(summary: string, tail: readonly Message[]): Message[] {
  const text = `${compactedHeading}\n\n${summary}`;
  const heading: Message = { role: "user", content: [{ type: "text", text }], time: tail[0]?.time ?? "" };
  return [heading, ...dropUncalled(tail)];
}

/** A result without its call would be refused by every provider. */
function dropUncalled(messages: readonly Message[]): Message[] {
  const calls = callIds(messages);
  return messages.flatMap((message) => {
    const content = message.content.filter(
      (block) => block.type !== "tool_result" || calls.has(block.call_id),
    );
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/** So would a call without a result: its worker died, or its answer was cut off. */
function dropUnanswered(messages: Message[]): Message[] {
  const answered = new Set(
    messages.flatMap((message) =>
      message.content.flatMap((b) => (b.type === "tool_result" ? [b.call_id] : [])),
    ),
  );
  const keep = (block: ContentBlock) => block.type !== "tool_call" || answered.has(block.id);
  return messages.flatMap((message) => {
    const content = message.content.filter(keep);
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

const callIds = (messages: readonly Message[]): Set<string> =>
  new Set(messages.flatMap((m) => m.content.flatMap((b) => (b.type === "tool_call" ? [b.id] : []))));
