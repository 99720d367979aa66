// One step's answer: the model call, and what of its answer is kept and shown. A context that has become
// too large is compacted, and the call made once more.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { TurnListener } from "../../features/contributions.ts";
import type { ModelAnswer } from "../../models/adapters/adapter.ts";
import type { Tool } from "../../tools/tool.ts";
import { compactAfterOverflow } from "./auto-compaction.ts";
import { callWithRetries, type RetryParts } from "./call-with-retries.ts";

export interface AnswerParts extends RetryParts {
  readonly listeners: readonly TurnListener[];
}

export async function answerStep(
  parts: AnswerParts,
  system: string,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { conversation, output, listeners } = parts;
  let answer = await ask(parts, system, tools, signal);
  if (answer.failure?.kind === "overflow" && (await compactAfterOverflow(parts, signal))) {
    answer = await ask(parts, system, tools, signal);
  }
  const content = kept(answer);
  if (content.length > 0) {
    const message = conversation.add("assistant", content);
    const shown = await shownContent(listeners, content, signal);
    if (shown !== null) output.write({ type: "assistant_message", content: shown, time: message.time });
    for (const call of content) {
      if (call.type !== "tool_call") continue;
      output.write(toolCallFrame(call));
      for (const listener of listeners) listener.toolCalled?.(call);
    }
  }
  output.write({
    type: "turn_end",
    stop: answer.stop,
    ...(answer.error === undefined ? {} : { error: answer.error }),
  });
  return { ...answer, content };
}

function ask(
  parts: AnswerParts,
  system: string,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { model, messages } = parts.conversation;
  const thinking = parts.modes.thinkingLevel;
  return callWithRetries(
    parts,
    { purpose: "answer", model, system, messages, tools, thinking, signal },
    true,
  );
}

/** Each listener gets the content that the one before it returned. */
async function shownContent(
  listeners: readonly TurnListener[],
  content: ContentBlock[],
  signal: AbortSignal,
): Promise<ContentBlock[] | null> {
  let shown: ContentBlock[] | null = content;
  for (const listener of listeners) {
    if (shown !== null && listener.beforeShowing) shown = await listener.beforeShowing(shown, signal);
  }
  return shown;
}

const toolCallFrame = ({ id, name, args }: ToolCallBlock) => ({ type: "tool_call", id, name, args }) as const;

/**
 * What of an answer goes into the transcript. One that was cut short may hold half a tool call, which
 * must never run: after an abort or failure the whole message goes, at the length limit only the calls.
 */
function kept(answer: ModelAnswer): ContentBlock[] {
  const isCall = (block: ContentBlock): boolean => block.type === "tool_call";
  switch (answer.stop) {
    case "tool_use":
    case "end":
      return answer.content;
    case "length":
      return answer.content.filter((block) => !isCall(block));
    default:
      if (answer.content.some(isCall)) return [];
      // Thinking without an answer cannot be sent back to most providers.
      return answer.content.some((block) => block.type === "text") ? answer.content : [];
  }
}
