// Runs the tool calls of one answer, one after the other and in its order. After an abort no further
// one runs: each gets a result that says so, because every call must have a result.
import type { ResultContent, ToolCallBlock, ToolResultBlock } from "@patchbay/protocol";
import { failed, type Tool, type ToolOutcome } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import type { Admission } from "./parts.ts";
import { toolContext } from "./tool-context.ts";

export async function runTools(
  agent: Agent,
  calls: readonly ToolCallBlock[],
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ToolResultBlock[]> {
  const { output } = agent;
  const results: ToolResultBlock[] = [];
  for (const call of calls) {
    const began = performance.now();
    const outcome = await runOne(agent, call, tools, signal);
    const duration_ms = Math.round(performance.now() - began);
    const { isError: is_error, content } = outcome;
    const details = outcome.details === undefined ? {} : { details: outcome.details };
    output.write({ type: "tool_result", id: call.id, is_error, content, duration_ms, ...details });
    results.push({ type: "tool_result", call_id: call.id, is_error, content, duration_ms, ...details });
    await output.ready();
  }
  return results;
}

async function runOne(
  agent: Agent,
  call: ToolCallBlock,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (signal.aborted) return failed("aborted");
  const tool = tools.find((known) => known.name === call.name);
  if (tool === undefined) {
    const names = tools.map((known) => known.name).join(", ") || "none";
    return failed(`unknown tool "${call.name}"; available: ${names}`);
  }
  const { output } = agent;
  const progress = (text: string): Promise<void> | undefined => {
    output.write({ type: "tool_progress", id: call.id, text });
    return output.ready();
  };
  try {
    const admission = await admit(agent, call, tool, signal);
    if (signal.aborted) return failed("aborted");
    if (!admission.ok) return failed(admission.reason);
    return notEmpty(await tool.run(admission.args, toolContext(agent, signal, progress)));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function admit(agent: Agent, call: ToolCallBlock, tool: Tool, signal: AbortSignal): Promise<Admission> {
  let admission: Admission = { ok: true, args: call.args };
  for (const gate of agent.gates) {
    admission = await gate.admit({ ...call, args: admission.args }, tool, signal);
    if (!admission.ok) break;
  }
  return admission;
}

/** Providers refuse a result without content. */
function notEmpty(outcome: ToolOutcome): ToolOutcome {
  const empty: ResultContent[] = [{ type: "text", text: "(no output)" }];
  return outcome.content.length === 0 ? { ...outcome, content: empty } : outcome;
}
