// A prompt's turn: call the model, run the tools it asked for, and again, until it has nothing more to
// run. The frames and their order are zot's (protocols/zot.md §4 and §5).
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import { withMentions } from "../context/mentions.ts";
import type { Answer } from "../models/adapter.ts";
import { createTools, type Tool } from "../tools/tools.ts";
import type { Agent } from "./agent.ts";
import { callModel } from "./model-call.ts";
import { runTools } from "./run-tools.ts";
import { systemPrompt } from "./system-prompt.ts";

export async function runPrompt(agent: Agent, content: ContentBlock[], signal: AbortSignal): Promise<void> {
  const { conversation, output } = agent;
  const began = performance.now();
  const prompt = conversation.add("user", await withMentions(agent, content, signal));
  output.write({ type: "user_message", content: prompt.content, time: prompt.time });
  const error = await runSteps(agent, signal);
  if (error !== null) output.write({ type: "error", message: error });
  output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
}

/** The error that ended the turn, if one did. Being aborted is none: somebody wanted it. */
async function runSteps(agent: Agent, signal: AbortSignal): Promise<string | null> {
  const { conversation, output } = agent;
  const { maxSteps } = agent.flags;
  const system = await systemPrompt(agent, new Date());
  for (let step = 1; ; step++) {
    output.write({ type: "turn_start", step });
    if (await isRefused(agent, step, signal)) return null;
    const tools = toolsOf(agent);
    const answer = await answerOnce(agent, system, tools, signal);
    for (const listener of agent.listeners) listener.stepEnded?.(step, answer);
    if (answer.stop === "aborted") return null;
    if (answer.stop === "error") return answer.error ?? "the model failed";
    if (answer.stop !== "tool_use") return null;
    const calls = answer.content.filter((block) => block.type === "tool_call");
    conversation.add("tool", await runTools(agent, calls, tools, signal));
    if (signal.aborted) return null;
    if (maxSteps !== undefined && step >= maxSteps) return `max steps (${maxSteps}) exceeded`;
  }
}

/** The built-in ones win over others of the same name. */
function toolsOf(agent: Agent): Tool[] {
  const all = [...createTools(agent.flags.tools), ...agent.toolSources.flatMap((source) => source.tools())];
  return [...new Map(all.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

/** Whether a listener wants no further step. The turn then ends as zot ends it: its end says why, no `error` does. */
async function isRefused(agent: Agent, step: number, signal: AbortSignal): Promise<boolean> {
  for (const listener of agent.listeners) {
    const reason = await listener.beforeStep?.(step, signal);
    if (reason === undefined) continue;
    agent.output.write({ type: "turn_end", stop: "error", error: reason });
    return true;
  }
  return false;
}

async function answerOnce(
  agent: Agent,
  system: string,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<Answer> {
  const { conversation, output, flags } = agent;
  const { model, messages } = conversation;
  const { reasoning } = flags;
  const answer = await callModel(
    agent,
    { purpose: "answer", model, system, messages, tools, reasoning, signal },
    true,
  );
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
