// A prompt's turn: call the model, run the tools it asked for, and again, until it has nothing more to
// run. The frames and their order are zot's (protocols/zot.md §4 and §5).
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { Answer } from "../models/adapter.ts";
import type { Output } from "../rpc/server.ts";
import { createTools, type Tool } from "../tools/tools.ts";
import type { Conversation } from "./conversation.ts";
import { callModel } from "./model-call.ts";
import { runTools } from "./run-tools.ts";
import { systemPrompt } from "./system-prompt.ts";

export async function runPrompt(
  conversation: Conversation,
  content: ContentBlock[],
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  const prompt = conversation.add("user", content);
  output.write({ type: "user_message", content: prompt.content, time: prompt.time });
  const error = await runSteps(conversation, output, signal);
  if (error !== null) output.write({ type: "error", message: error });
  output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
}

/** The error that ended the turn, if one did. Being aborted is none: somebody wanted it. */
async function runSteps(
  conversation: Conversation,
  output: Output,
  signal: AbortSignal,
): Promise<string | null> {
  const { flags, cwd, config } = conversation;
  const tools = createTools(flags.tools);
  const system = systemPrompt({ ...flags, cwd }, new Date());
  for (let step = 1; ; step++) {
    output.write({ type: "turn_start", step });
    const answer = await answerOnce(conversation, system, tools, output, signal);
    if (answer.stop === "aborted") return null;
    if (answer.stop === "error") return answer.error ?? "the model failed";
    if (answer.stop !== "tool_use") return null;
    const calls = answer.content.filter((block) => block.type === "tool_call");
    const results = await runTools(calls, tools, { cwd, shellEnv: config.shellEnv, signal }, output);
    conversation.add("tool", results);
    if (signal.aborted) return null;
    if (flags.maxSteps !== undefined && step >= flags.maxSteps)
      return `max steps (${flags.maxSteps}) exceeded`;
  }
}

async function answerOnce(
  conversation: Conversation,
  system: string,
  tools: readonly Tool[],
  output: Output,
  signal: AbortSignal,
): Promise<Answer> {
  const { model, messages, flags } = conversation;
  const { reasoning } = flags;
  const answer = await callModel(
    conversation,
    { purpose: "answer", model, system, messages, tools, reasoning, signal },
    output,
    true,
  );
  const content = kept(answer);
  if (content.length > 0) {
    const message = conversation.add("assistant", content);
    output.write({ type: "assistant_message", content, time: message.time });
    for (const call of content) if (call.type === "tool_call") output.write(toolCallFrame(call));
  }
  output.write({
    type: "turn_end",
    stop: answer.stop,
    ...(answer.error === undefined ? {} : { error: answer.error }),
  });
  return { ...answer, content };
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
