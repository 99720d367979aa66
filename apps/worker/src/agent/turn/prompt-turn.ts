// A prompt's turn: call the model, run the tools it asked for, and again, until it has nothing more to
// run and nobody has steered. The frames and their order are zot's (protocols/zot.md §4 and §5).
import type { Agent } from "../agent.ts";
import { type Prompt, say } from "../prompts/prompt.ts";
import { answerStep } from "./answer-step.ts";
import { compactIfFull } from "./auto-compaction.ts";
import { runTools } from "./run-tools.ts";
import { systemPrompt } from "./system-prompt.ts";
import { toolsOf } from "./tools-of.ts";

export async function runPrompt(
  agent: Agent,
  prompts: readonly Prompt[],
  signal: AbortSignal,
): Promise<void> {
  const { output } = agent;
  const began = performance.now();
  await saySteering(agent, signal); // what an abort left waiting was said first
  for (const prompt of prompts) await say(agent, prompt, { steering: false, signal });
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
    await compactIfFull(agent, signal);
    if (await isRefused(agent, step, signal)) return null;
    const tools = toolsOf(agent);
    const answer = await answerStep(agent, system, tools, signal);
    for (const listener of agent.listeners) listener.stepEnded?.(step, answer);
    if (answer.stop === "aborted") return null;
    if (answer.stop === "error") return answer.error ?? "the model failed";
    if (answer.stop === "tool_use") {
      const calls = answer.content.filter((block) => block.type === "tool_call");
      conversation.add("tool", await runTools(agent, calls, tools, signal));
      if (signal.aborted) return null;
    }
    const steered = await saySteering(agent, signal);
    if (answer.stop !== "tool_use" && !steered) return null;
    if (maxSteps !== undefined && step >= maxSteps) return `max steps (${maxSteps}) exceeded`;
  }
}

/** Whether anybody had steered: what they said takes effect here. */
async function saySteering(agent: Agent, signal: AbortSignal): Promise<boolean> {
  const prompts = agent.steering.take(agent.modes.steering);
  for (const prompt of prompts) await say(agent, prompt, { steering: true, signal });
  if (prompts.length > 0) agent.tellQueue();
  return prompts.length > 0;
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
