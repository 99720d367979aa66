// Runs the tool calls of one answer: those that only read in parallel, the others one after the other, all in the
// order of the answer. After an abort, or when a person steers, no further one runs: each then gets a result with the
// reason, because every call must have a result.
import type { ResultContent, ToolCallBlock, ToolResultBlock } from "@patchbay/protocol";
import type { Admission, ToolGate } from "../../features/contributions.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";
import { failed, type Tool, type ToolOutcome } from "../../tools/tool.ts";
import type { CreateToolContext } from "../../tools/tool-context.ts";
import type { TurnModes } from "../conversation/turn-modes.ts";
import type { SteeringQueue } from "../prompts/steering-queue.ts";

/** Files are read faster in parallel, up to about the number of threads Node has for it. */
const maxAtOnce = 8;

/** For the page; the model reads the reason. */
const denied = { denied: true };

/** omp's text; the model then reads the person's message instead. */
const skipped = "Skipped due to queued user message.";

export interface ToolParts {
  readonly output: WorkerOutput;
  readonly modes: TurnModes;
  readonly steering: SteeringQueue;
  readonly gates: readonly ToolGate[];
  readonly toolContext: CreateToolContext;
}

export async function runTools(
  parts: ToolParts,
  calls: readonly ToolCallBlock[],
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ToolResultBlock[]> {
  const { output, modes, steering } = parts;
  const results: ToolResultBlock[] = [];
  for (const group of groups(calls, tools)) {
    const run = (call: ToolCallBlock): Promise<ToolResultBlock> => {
      const interrupted = modes.interrupt === "immediate" && steering.length > 0;
      const timer = new ToolTimer();
      const outcome = interrupted ? failed(skipped) : runOne(parts, call, tools, signal, timer);
      return report(output, call, outcome, timer);
    };
    results.push(...(await Promise.all(group.map(run))));
    await output.ready();
  }
  return results;
}

/** What may run at the same time, in order: several calls that only read, or one of any kind. */
function groups(calls: readonly ToolCallBlock[], tools: readonly Tool[]): ToolCallBlock[][] {
  const reads = new Set(tools.filter((tool) => tool.effect === "reads").map((tool) => tool.name));
  const found: ToolCallBlock[][] = [];
  for (const call of calls) {
    const last = found.at(-1);
    const joins =
      last !== undefined &&
      last.length < maxAtOnce &&
      [call, ...last].every((member) => reads.has(member.name));
    if (joins) last.push(call);
    else found.push([call]);
  }
  return found;
}

/** Writes a result as soon as it is there. */
async function report(
  output: WorkerOutput,
  call: ToolCallBlock,
  outcome: ToolOutcome | Promise<ToolOutcome>,
  timer: ToolTimer,
): Promise<ToolResultBlock> {
  const { isError: is_error, content, details } = await outcome;
  const { duration_ms } = timer;
  const result = { is_error, content, duration_ms, ...(details === undefined ? {} : { details }) };
  output.write({ type: "tool_result", id: call.id, ...result });
  return { type: "tool_result", call_id: call.id, ...result };
}

/** Counts from when the call may run: a person who is asked takes their time. */
class ToolTimer {
  #began: number | null = null;

  start(): void {
    this.#began = performance.now();
  }

  get duration_ms(): number {
    return this.#began === null ? 0 : Math.round(performance.now() - this.#began);
  }
}

async function runOne(
  { output, gates, toolContext }: ToolParts,
  call: ToolCallBlock,
  tools: readonly Tool[],
  signal: AbortSignal,
  timer: ToolTimer,
): Promise<ToolOutcome> {
  if (signal.aborted) return failed("aborted");
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
    const admission = await admit(gates, call, tool, signal);
    if (signal.aborted) return failed("aborted");
    if (!admission.ok)
      return { ...failed(admission.reason), ...(admission.denied ? { details: denied } : {}) };
    const { args, edits } = admission;
    const context = toolContext(signal, progress);
    timer.start();
    return notEmpty(await tool.run(args, edits === undefined ? context : { ...context, edits }));
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function admit(
  gates: readonly ToolGate[],
  call: ToolCallBlock,
  tool: Tool,
  signal: AbortSignal,
): Promise<Admission> {
  let admission: Admission = { ok: true, args: call.args };
  for (const gate of gates) {
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
