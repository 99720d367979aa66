// A prompt's turn, in steps: call the model, run the tools it asked for, add what the person steered in, and
// again, until there is nothing more to do. The frames and their order are zot's (protocols/zot.md §4 and §5).
import type { ToolSource } from "../../features/contributions.ts";
import { createTools, type Tool } from "../../tools/tools.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { TurnModes } from "../conversation/turn-modes.ts";
import type { Prompt } from "../prompts/prompt.ts";
import type { SteeringQueue } from "../prompts/steering-queue.ts";
import type { TurnQueue } from "../prompts/turn-queue.ts";
import { addPrompt, type PromptParts } from "./add-prompt.ts";
import { type AnswerParts, answerStep } from "./answer-step.ts";
import { compactIfFull } from "./auto-compaction.ts";
import { runTools, type ToolParts } from "./run-tools.ts";
import { createSystemPrompt, type SystemPromptParts } from "./system-prompt.ts";

/** Everything a turn uses; each of its steps takes the part it needs. */
export interface TurnParts extends PromptParts, AnswerParts, ToolParts, SystemPromptParts {
  readonly conversation: Conversation;
  readonly modes: TurnModes;
  readonly steering: SteeringQueue;
  readonly queue: Pick<TurnQueue, "announce">;
  readonly toolSources: readonly ToolSource[];
  readonly maxSteps: number | undefined;
}

export async function runPrompt(
  parts: TurnParts,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<void> {
  const { output } = parts;
  const began = performance.now();
  await addSteering(parts, signal); // what an abort left waiting is older than the prompt
  for (const prompt of prompts) await addPrompt(parts, prompt, { steering: false, signal });
  const error = await runSteps(parts, signal);
  if (error !== null) output.write({ type: "error", message: error });
  output.write({ type: "done", duration_ms: Math.round(performance.now() - began) });
}

/** The error that ended the turn, or null. An abort is no error: a person wanted it. */
async function runSteps(parts: TurnParts, signal: AbortSignal): Promise<string | null> {
  const { conversation, output, listeners, maxSteps } = parts;
  const system = await createSystemPrompt(parts, new Date());
  for (let step = 1; ; step++) {
    output.write({ type: "turn_start", step });
    await compactIfFull(parts, signal);
    if (await isRefused(parts, step, signal)) return null;
    const tools = currentTools(parts);
    const answer = await answerStep(parts, system, tools, signal);
    for (const listener of listeners) listener.stepEnded?.(step, answer);
    if (answer.stop === "aborted") return null;
    if (answer.stop === "error") return answer.error ?? "the model failed";
    if (answer.stop === "tool_use") {
      const calls = answer.content.filter((block) => block.type === "tool_call");
      conversation.add("tool", await runTools(parts, calls, tools, signal));
      if (signal.aborted) return null;
    }
    const steered = await addSteering(parts, signal);
    if (answer.stop !== "tool_use" && !steered) return null;
    if (maxSteps !== undefined && step >= maxSteps) return `max steps (${maxSteps}) exceeded`;
  }
}

/** The tools the model may call in this step. The built-in ones win over others of the same name. */
function currentTools({ toolNames, toolSources }: TurnParts): Tool[] {
  const all = [...createTools(toolNames), ...toolSources.flatMap((source) => source.tools())];
  return [...new Map(all.toReversed().map((tool) => [tool.name, tool])).values()].toReversed();
}

/** Adds the messages that were sent into the running turn; whether there were any. */
async function addSteering(parts: TurnParts, signal: AbortSignal): Promise<boolean> {
  const prompts = parts.steering.take(parts.modes.steering);
  for (const prompt of prompts) await addPrompt(parts, prompt, { steering: true, signal });
  if (prompts.length > 0) parts.queue.announce();
  return prompts.length > 0;
}

/** Whether a listener refuses the step. The turn then ends as in zot: its `turn_end` has the reason, there is no `error`. */
async function isRefused(parts: TurnParts, step: number, signal: AbortSignal): Promise<boolean> {
  for (const listener of parts.listeners) {
    const reason = await listener.beforeStep?.(step, signal);
    if (reason === undefined) continue;
    parts.output.write({ type: "turn_end", stop: "error", error: reason });
    return true;
  }
  return false;
}
