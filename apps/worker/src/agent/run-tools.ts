// Runs the tool calls of one answer, one after the other and in its order. After an abort no further
// one runs: each gets a result that says so, because every call must have a result.
import type { ResultContent, ToolCallBlock, ToolResultBlock } from "@patchbay/protocol";
import type { Output } from "../rpc/server.ts";
import { failed, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";

type Surroundings = Omit<ToolContext, "progress">;

export async function runTools(
  calls: readonly ToolCallBlock[],
  tools: readonly Tool[],
  surroundings: Surroundings,
  output: Output,
): Promise<ToolResultBlock[]> {
  const results: ToolResultBlock[] = [];
  for (const call of calls) {
    const began = performance.now();
    const outcome = await runOne(call, tools, surroundings, output);
    const duration_ms = Math.round(performance.now() - began);
    const { isError: is_error, content } = outcome;
    output.write({ type: "tool_result", id: call.id, is_error, content, duration_ms });
    results.push({ type: "tool_result", call_id: call.id, is_error, content, duration_ms });
    await output.ready();
  }
  return results;
}

async function runOne(
  call: ToolCallBlock,
  tools: readonly Tool[],
  surroundings: Surroundings,
  output: Output,
): Promise<ToolOutcome> {
  if (surroundings.signal.aborted) return failed("aborted");
  const tool = tools.find((known) => known.name === call.name);
  if (tool === undefined) {
    const names = tools.map((known) => known.name).join(", ") || "none";
    return failed(`unknown tool "${call.name}"; available: ${names}`);
  }
  const progress = (text: string): Promise<void> | undefined => {
    output.write({ type: "tool_progress", id: call.id, text });
    return output.ready();
  };
  try {
    return notEmpty(await tool.run(call.args, { ...surroundings, progress }));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Providers refuse a result without content. */
function notEmpty(outcome: ToolOutcome): ToolOutcome {
  const empty: ResultContent[] = [{ type: "text", text: "(no output)" }];
  return outcome.content.length === 0 ? { ...outcome, content: empty } : outcome;
}
