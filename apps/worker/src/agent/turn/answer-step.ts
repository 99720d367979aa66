// One step's answer: the model call, what of it is kept, shown and announced. A context that has become
// too large is compacted, and the call made once more.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { Answer } from "../../models/adapter.ts";
import type { Tool } from "../../tools/tools.ts";
import type { Agent } from "../agent.ts";
import { compactAfterOverflow } from "./auto-compaction.ts";
import { callPatiently } from "./retried-call.ts";

export async function answerStep(
  agent: Agent,
  system: string,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<Answer> {
  const { conversation, output } = agent;
  let answer = await ask(agent, system, tools, signal);
  if (answer.failure?.kind === "overflow" && (await compactAfterOverflow(agent, signal))) {
    answer = await ask(agent, system, tools, signal);
  }
  const content = kept(answer);
  if (content.length > 0) {
    const message = conversation.add("assistant", content);
    const shown = await shownContent(agent, content, signal);
    if (shown !== null) output.write({ type: "assistant_message", content: shown, time: message.time });
    for (const call of content) {
      if (call.type !== "tool_call") continue;
      output.write(toolCallFrame(call));
      for (const listener of agent.listeners) listener.toolCalled?.(call);
    }
  }
  output.write({
    type: "turn_end",
    stop: answer.stop,
    ...(answer.error === undefined ? {} : { error: answer.error }),
  });
  return { ...answer, content };
}

function ask(agent: Agent, system: string, tools: readonly Tool[], signal: AbortSignal): Promise<Answer> {
  const { model, messages } = agent.conversation;
  const thinking = agent.modes.thinkingLevel;
  return callPatiently(agent, { purpose: "answer", model, system, messages, tools, thinking, signal }, true);
}

/** Each listener sees what the one before it made of the answer. */
async function shownContent(
  agent: Agent,
  content: ContentBlock[],
  signal: AbortSignal,
): Promise<ContentBlock[] | null> {
  let shown: ContentBlock[] | null = content;
  for (const listener of agent.listeners) {
    if (shown !== null && listener.beforeShowing) shown = await listener.beforeShowing(shown, signal);
  }
  return shown;
}

const toolCallFrame = ({ id, name, args }: ToolCallBlock) => ({ type: "tool_call", id, name, args }) as const;

/**
 * What of an answer goes into the transcript. One that was cut short may hold half a tool call, which
 * must never run: after an abort or failure the whole message goes, at the length limit only the calls.
 */
function kept(answer: Answer): ContentBlock[] {
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
