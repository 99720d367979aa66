// The turn that is running, from its prompt until it is over: what frames make of it, and what it leaves
// behind as messages and a mark.
import { noUsage } from "../costs/usage.ts";
import type { StopReason } from "../events/events.ts";
import type { ContentBlock, Message } from "../events/message.ts";
import type { Frame } from "../frames/frame.ts";
import { append } from "../transcript/growing.ts";
import type { Mark, PartialTurn, Transcript } from "../transcript/transcript.ts";
import { withMark } from "./notices.ts";
import { joinBash } from "./person-commands.ts";
import { confirmCall, flushTools, settleOutputs, toolCallBlocks } from "./tool-runs.ts";
import { turnOutcome, wasStopped } from "./turn-outcome.ts";

const newTurn = (time: string): PartialTurn => ({
  step: 0,
  content: [],
  tools: [],
  calls: 0,
  usage: noUsage,
  stop: null,
  error: null,
  time,
});

export const promptMessage = ({
  content,
  time,
  entry_id,
}: Extract<Frame, { type: "user_message" }>): Message => ({
  role: "user",
  content,
  time,
  ...(entry_id === undefined ? {} : { entry_id }),
});

/** A turn without an end is over when the next one begins. */
export const atRest = (before: Transcript): Transcript =>
  before.partial === null ? before : closeTurn(before, before.partial.stop ?? "end");

export function openTurn(before: Transcript, message: Message): Transcript {
  const settled = atRest(before);
  return { ...settled, messages: append(settled.messages, [message]), partial: newTurn(message.time) };
}

/** A message is sent into the running turn, or is another one before its first model call. */
export const joinsTurn = ({ partial }: Transcript, steering: boolean): boolean =>
  partial !== null &&
  (steering || partial.step + partial.calls + partial.content.length + partial.tools.length === 0);

/** A message into the running turn, which continues: the results so far stand before it. */
export function steerTurn(before: Transcript, message: Message): Transcript {
  const flushed = flushResults(before);
  const partial = flushed.partial && { ...flushed.partial, time: message.time };
  return { ...flushed, messages: append(flushed.messages, [message]), partial };
}

/** The call is made again: what it had streamed will come once more. */
export const takeBack = (before: Transcript): Transcript =>
  before.partial === null || before.partial.content.length === 0
    ? before
    : { ...before, partial: { ...before.partial, content: [], tools: [] } };

/** Changes the running turn; a frame that comes before any turn opens one, so that nothing is lost. */
export function inTurn(
  before: Transcript,
  change: (turn: PartialTurn) => PartialTurn,
  flush = false,
): Transcript {
  const base = flush ? flushResults(before) : before;
  const turn = base.partial ?? newTurn("");
  const changed = change(turn);
  return changed === turn ? base : { ...base, partial: changed };
}

/** No model writes that much. What is cut off here is whole in the log. A snapshot must fit in one line. */
const answerLimit = 16 * 1024 * 1024;
/** Nor as many pieces: each delta copies the list of them. */
const blockLimit = 2_000;

export function appendDelta(turn: PartialTurn, type: "text" | "thinking", delta: string): PartialTurn {
  const last = turn.content.at(-1);
  if (last?.type === type ? last.text.length > answerLimit : turn.content.length >= blockLimit) return turn;
  const content =
    last?.type === type
      ? [...turn.content.slice(0, -1), { ...last, text: last.text + delta }]
      : [...turn.content, { type, text: delta }];
  return { ...turn, content };
}

/** The worker's own account of its answer replaces what was streamed. */
export function settleAnswer(before: Transcript, message: Message): Transcript {
  const turn = before.partial ?? newTurn(message.time);
  const known = message.content.reduce(
    (runs, block) =>
      block.type === "tool_call" ? confirmCall(runs, block.id, block.name, block.args) : runs,
    turn,
  );
  return {
    ...before,
    messages: append(before.messages, [message]),
    partial: { ...known, content: [], time: message.time },
  };
}

/** A model call is over. What it streamed and no message replaced is kept as a message, or shown as dropped. */
export function endCall(before: Transcript, reported: StopReason, error: string | undefined): Transcript {
  const turn = before.partial ?? newTurn("");
  const isStop = wasStopped(reported, error) || (reported === "error" && turn.stop_requested === true);
  const stop = isStop ? "aborted" : reported;
  // zot tries a call again within its step: how the last one ended counts.
  const soFar = turn.stop === "error" && stop !== "error" ? null : turn.error;
  // The person who stopped it knows why: that is no error to show.
  const ended: PartialTurn = {
    ...turn,
    content: [],
    stop,
    error: stop === "aborted" ? soFar : (error ?? soFar),
  };
  const base = { ...before, partial: ended };
  if (turn.content.length === 0) return base;
  const content = toolCallBlocks(turn);
  return stop === "aborted" || stop === "error"
    ? withMark({ ...base, partial: { ...ended, tools: [] } }, unkept(before, content))
    : { ...base, messages: append(before.messages, [{ role: "assistant", content, time: turn.time }]) };
}

const unkept = (before: Transcript, content: ContentBlock[]): Mark => ({
  kind: "unkept",
  at: before.messages.length,
  content,
});

/** All results of a step become one `tool` message, as in zot's own transcript. */
function flushResults(before: Transcript): Transcript {
  if (before.partial === null) return before;
  const content = flushTools(before.partial);
  if (content.length === 0) return before;
  const message: Message = { role: "tool", content, time: before.partial.time };
  return {
    ...before,
    messages: append(before.messages, [message]),
    partial: { ...before.partial, tools: [] },
  };
}

function stopOf(stop: StopReason | "interrupted", turn: PartialTurn): StopReason | "interrupted" {
  const stopRequested = turn.stop_requested === true;
  // Without a further call after its tools, a step was stopped while they ran, or (zot's --max-steps) it failed.
  if (!stopRequested && stop !== "tool_use") return stop;
  return turnOutcome({ stop, error: turn.error, stopRequested }) === "stopped" ? "aborted" : "error";
}

export function closeTurn(
  before: Transcript,
  stop: StopReason | "interrupted",
  duration?: number,
): Transcript {
  if (before.partial === null) return before; // the `done` of a compaction
  const flushed = flushResults({ ...before, partial: settleOutputs(before.partial) });
  const turn = flushed.partial ?? before.partial;
  const shown = turn.content.length > 0 ? withMark(flushed, unkept(flushed, toolCallBlocks(turn))) : flushed;
  const marked = withMark(
    { ...shown, partial: null },
    {
      kind: "turn",
      at: shown.messages.length,
      stop: stopOf(stop, turn),
      error: turn.stop_requested === true ? null : turn.error,
      calls: turn.calls,
      usage: turn.usage,
      ...(duration === undefined ? {} : { duration_ms: duration }),
      ...(before.surface.settings?.model === undefined ? {} : { model: before.surface.settings.model }),
      ...(shown.context_tokens === null ? {} : { context_tokens: shown.context_tokens }),
    },
  );
  return joinBash(marked);
}
