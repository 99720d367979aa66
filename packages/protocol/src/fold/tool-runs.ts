// The tool calls of the step that is running. `tool_use_*` is a preview and `tool_call` the
// authority; the second after the first confirms the call and starts nothing new.
import type { ContentBlock, ResultContent, ResultDetails, ToolResultBlock } from "../events/message.ts";
import { frameBounds, readJson } from "../lines/read-json.ts";
import { outputLimit, type PartialTurn, type ToolRun } from "../transcript/transcript.ts";

const find = (turn: PartialTurn, id: string): ToolRun | undefined =>
  turn.tools.find((tool) => tool.id === id);

const replace = (turn: PartialTurn, changed: ToolRun): PartialTurn => ({
  ...turn,
  tools: turn.tools.map((tool) => (tool.id === changed.id ? changed : tool)),
});

/** Calls of one step. Each frame of one copies the list of them, so a worker that never ends its step is cut off here. */
const toolLimit = 1_000;

/** The turn as it was, where there are too many. */
function add(turn: PartialTurn, tool: ToolRun): PartialTurn {
  return turn.tools.length >= toolLimit ? turn : { ...turn, tools: [...turn.tools, tool] };
}

const placeholder = (id: string, name: string): ContentBlock => ({ type: "tool_call", id, name, args: null });

const newRun = (id: string, name: string): ToolRun => ({
  id,
  name,
  state: "streaming",
  args_text: "",
  args: null,
  output: "",
});

export function startTool(turn: PartialTurn, id: string, name: string): PartialTurn {
  if (find(turn, id) !== undefined) return turn;
  const added = add(turn, newRun(id, name));
  return added === turn ? turn : { ...added, content: [...turn.content, placeholder(id, name)] };
}

export function streamArgs(turn: PartialTurn, id: string, delta: string): PartialTurn {
  const tool = find(turn, id);
  if (tool === undefined || tool.state !== "streaming") return turn;
  return replace(turn, { ...tool, args_text: tool.args_text + delta });
}

export function confirmCall(turn: PartialTurn, id: string, name: string, args: unknown): PartialTurn {
  const tool = find(turn, id);
  if (tool === undefined) {
    const called = add(turn, { ...newRun(id, name), state: "called", args });
    if (called === turn) return turn;
    // No preview and no assistant message named it: the answer that is kept at turn_end must.
    return turn.stop === null ? { ...called, content: [...turn.content, placeholder(id, name)] } : called;
  }
  // The streamed text is let go of: from here on, a viewer that missed it must hold the same value.
  return tool.state === "streaming"
    ? replace(turn, { ...tool, state: "called", name, args, args_text: "" })
    : turn;
}

export function addProgress(turn: PartialTurn, id: string, text: string): PartialTurn {
  const tool = find(turn, id);
  if (tool === undefined || tool.state === "done") return turn;
  const output = tool.output + text;
  // Cut only when twice over the limit, so that a flood is copied rarely and not once per frame.
  return replace(turn, {
    ...tool,
    output: output.length > 2 * outputLimit ? output.slice(-outputLimit) : output,
  });
}

interface Result {
  id: string;
  is_error: boolean;
  content: ResultContent[];
  duration_ms?: number | undefined;
  details?: ResultDetails | undefined;
}

export function finishTool(turn: PartialTurn, result: Result): PartialTurn {
  const known = find(turn, result.id);
  if (known?.state === "done") return turn;
  const base = known === undefined ? add(turn, newRun(result.id, "tool")) : turn;
  const tool = known ?? newRun(result.id, "tool");
  const details = detailsOf(turn, result);
  return replace(base, {
    ...tool,
    state: "done",
    output: "",
    result: result.content,
    is_error: result.is_error,
    ...(result.duration_ms === undefined ? {} : { duration_ms: result.duration_ms }),
    ...(details === undefined ? {} : { details }),
  });
}

/** A call that fails after a stop was requested was stopped, whatever its agent reports. */
function detailsOf(turn: PartialTurn, { is_error, details }: Result): ResultDetails | undefined {
  const isStopped = turn.stop_requested === true && is_error && details?.["denied"] !== true;
  return isStopped ? { ...details, stopped: true } : details;
}

/** A turn is over, and these calls have no result: what they had put out is kept as one. */
export const settleOutputs = (turn: PartialTurn): PartialTurn => ({
  ...turn,
  tools: turn.tools.map((tool) =>
    tool.state === "called" && tool.output !== ""
      ? {
          ...tool,
          state: "done",
          output: "",
          result: [{ type: "text", text: tool.output.slice(-outputLimit) }],
          is_error: true,
          details: { interrupted: true },
        }
      : tool,
  ),
});

/** The results so far, in the order of the calls. */
export function flushTools(turn: PartialTurn): ToolResultBlock[] {
  return turn.tools.flatMap((tool) =>
    tool.state === "done"
      ? [
          {
            type: "tool_result" as const,
            call_id: tool.id,
            is_error: tool.is_error ?? false,
            content: tool.result ?? [],
            ...(tool.duration_ms === undefined ? {} : { duration_ms: tool.duration_ms }),
            ...(tool.details === undefined ? {} : { details: tool.details }),
          },
        ]
      : [],
  );
}

/** The streamed content with the arguments that arrived put in place of the place holders. */
export function toolCallBlocks(turn: PartialTurn): ContentBlock[] {
  return turn.content.map((block) => {
    const tool = block.type === "tool_call" ? find(turn, block.id) : undefined;
    return tool === undefined ? block : { ...block, args: tool.args ?? parseArgs(tool.args_text) };
  });
}

/** Null when they were cut off in the middle: zot, too, reports invalid arguments as null. */
function parseArgs(text: string): unknown {
  const json = readJson(text, frameBounds);
  return json.ok ? json.value : null;
}
