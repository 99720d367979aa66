// foldTranscript: the only place that interprets frames. Pure and total: any frame gives a transcript,
// and one that says nothing new gives the same object back.
import type { StopReason } from "../events.ts";
import { type Frame, readFrameValue } from "../frame.ts";
import type { ContentBlock, Message } from "../message.ts";
import type { WorkerFrame } from "../server-frames.ts";
import { foldSurface } from "../surface/fold-surface.ts";
import { addUsage, contextTokens, noUsage } from "../usage.ts";
import { endRetry, notice, settleQuestion, startRetry, uiNotice, withMark } from "./notices.ts";
import {
  addProgress,
  confirmCall,
  finishTool,
  flushTools,
  startTool,
  streamArgs,
  toolCallBlocks,
} from "./tool-runs.ts";
import { emptyTranscript, type Mark, type Partial, type Transcript } from "./transcript.ts";

/** zot keeps the last four messages when it compacts, and does not say so. */
const zotKeeps = 4;

export function foldTranscript(before: Transcript, frame: Frame): Transcript {
  const sound = soundFrame(frame);
  if (sound === null) return before;
  const after = fold(before, sound);
  const surface = foldSurface(before.surface, sound);
  return after.surface === surface ? after : { ...after, surface };
}

/**
 * The types promise it, and callers read with readFrame; but one cast on the way in would otherwise
 * put a message without content into every snapshot. Deltas, nearly all of a stream, take the short way.
 */
function soundFrame(frame: Frame): Frame | null {
  if (typeof frame !== "object" || frame === null) return null;
  if (frame.type === "text_delta" || frame.type === "thinking_delta")
    return typeof frame.delta === "string" ? frame : null;
  const reading = readFrameValue(frame);
  return reading.kind === "frame" ? reading.frame : null;
}

function fold(before: Transcript, frame: Frame): Transcript {
  switch (frame.type) {
    case "user_message": {
      const message: Message = { role: "user", content: frame.content, time: frame.time };
      return frame.steering && before.partial !== null
        ? steerTurn(before, message)
        : openTurn(before, message);
    }
    case "turn_start":
      return inTurn(
        before,
        (turn) => ({ ...turn, step: frame.step, content: [], tools: [], stop: null }),
        true,
      );
    case "assistant_start":
      return inTurn(before, (turn) => turn);
    case "text_delta":
      return inTurn(before, (turn) => appendDelta(turn, "text", frame.delta));
    case "thinking_delta":
      return inTurn(before, (turn) => appendDelta(turn, "thinking", frame.delta));
    case "tool_use_start":
      return inTurn(before, (turn) => startTool(turn, frame.id, frame.name));
    case "tool_use_args":
      return inTurn(before, (turn) => streamArgs(turn, frame.id, frame.delta));
    case "tool_use_end":
      return before;
    case "tool_call":
      return inTurn(before, (turn) => confirmCall(turn, frame.id, frame.name, frame.args));
    case "tool_progress":
      return inTurn(before, (turn) => addProgress(turn, frame.id, frame.text));
    case "tool_result":
      return inTurn(before, (turn) => finishTool(turn, frame));
    case "usage": {
      const { type: _type, cumulative: _cumulative, ...call } = frame;
      const counted = { ...before, usage: addUsage(before.usage, call) };
      if (before.partial === null) return counted; // a compaction's call says nothing about the context
      const turn = before.partial;
      return {
        ...counted,
        // Nor does one within a turn, or one that was cut before the provider had told.
        context_tokens: (frame.purpose === undefined && contextTokens(call)) || before.context_tokens,
        partial: { ...turn, calls: turn.calls + 1, usage: addUsage(turn.usage, call) },
      };
    }
    case "assistant_message":
      return settleAnswer(before, { role: "assistant", content: frame.content, time: frame.time });
    case "turn_end":
      return endCall(before, frame.stop, frame.error);
    case "error":
      return before.partial === null
        ? withMark(before, { kind: "error", at: before.messages.length, message: frame.message })
        : inTurn(before, (turn) => ({ ...turn, error: frame.message }));
    case "done":
      return closeTurn(before, before.partial?.stop ?? "end", frame.duration_ms);
    case "compact_done":
      return withMark(
        { ...before, context_tokens: null },
        {
          kind: "compaction",
          at: before.messages.length,
          summary: frame.summary,
          kept: frame.kept ?? zotKeeps,
        },
      );
    case "ext_notify":
      return notice(before, frame.extension, frame.level, frame.message);
    case "ext_display":
      return notice(before, frame.extension, "display", frame.text);
    case "worker":
      return foldWorker(before, frame);
    case "budget":
      return notice(before, "budget", "warn", frame.message);
    case "cleared":
      return { ...emptyTranscript, usage: before.usage };
    case "extension_ui_request":
      return uiNotice(before, frame);
    case "extension_error":
      return notice(before, extensionName(frame.extensionPath), "error", `${frame.event}: ${frame.error}`);
    case "auto_retry_start":
      return startRetry(takeBack(before), frame);
    case "auto_retry_end":
      return endRetry(before, frame.success);
    case "auto_compaction_end":
      return frame.errorMessage === undefined
        ? before
        : notice(before, "compaction", "warn", frame.errorMessage);
    case "ui_resolved":
      return settleQuestion(before, frame);
    case "settings":
    case "ext_clear_notes":
    case "queue_update":
    case "auto_compaction_start":
    case "ext_insert":
    case "ext_panel":
    case "ext_panel_close":
    case "commands_changed":
      return before;
  }
}

/** An extension is named by where it lies; its directory has its name. */
const extensionName = (path: string): string => path.replace(/\/+$/, "").split("/").pop() ?? path;

const newTurn = (time: string): Partial => ({
  step: 0,
  content: [],
  tools: [],
  calls: 0,
  usage: noUsage,
  stop: null,
  error: null,
  time,
});

function openTurn(before: Transcript, message: Message): Transcript {
  const settled = before.partial === null ? before : closeTurn(before, before.partial.stop ?? "end");
  return { ...settled, messages: [...settled.messages, message], partial: newTurn(message.time) };
}

/** Said into the running turn, which goes on: the results so far stand before it. */
function steerTurn(before: Transcript, message: Message): Transcript {
  const flushed = flushResults(before);
  const partial = flushed.partial && { ...flushed.partial, time: message.time };
  return { ...flushed, messages: [...flushed.messages, message], partial };
}

/** The call is made again: what it had streamed will come once more. */
const takeBack = (before: Transcript): Transcript =>
  before.partial === null || before.partial.content.length === 0
    ? before
    : { ...before, partial: { ...before.partial, content: [], tools: [] } };

/** Changes the running turn; a frame that comes before any turn opens one, so that nothing is lost. */
function inTurn(before: Transcript, change: (turn: Partial) => Partial, flush = false): Transcript {
  const base = flush ? flushResults(before) : before;
  const turn = base.partial ?? newTurn("");
  const changed = change(turn);
  return changed === turn ? base : { ...base, partial: changed };
}

/** No model writes that much; whoever does is cut off here and whole in the log. A snapshot must fit in one line. */
const answerLimit = 16 * 1024 * 1024;

function appendDelta(turn: Partial, type: "text" | "thinking", delta: string): Partial {
  const last = turn.content.at(-1);
  if (last?.type === type && last.text.length > answerLimit) return turn;
  const content =
    last?.type === type
      ? [...turn.content.slice(0, -1), { ...last, text: last.text + delta }]
      : [...turn.content, { type, text: delta }];
  return { ...turn, content };
}

/** The worker's own account of its answer replaces what was streamed. */
function settleAnswer(before: Transcript, message: Message): Transcript {
  const turn = before.partial ?? newTurn(message.time);
  const known = message.content.reduce(
    (runs, block) =>
      block.type === "tool_call" ? confirmCall(runs, block.id, block.name, block.args) : runs,
    turn,
  );
  return {
    ...before,
    messages: [...before.messages, message],
    partial: { ...known, content: [], time: message.time },
  };
}

/** A model call is over. What it streamed and nobody settled is kept as a message, or shown as dropped. */
function endCall(before: Transcript, stop: StopReason, error: string | undefined): Transcript {
  const turn = before.partial ?? newTurn("");
  const ended: Partial = { ...turn, content: [], stop, error: error ?? turn.error };
  const base = { ...before, partial: ended };
  if (turn.content.length === 0) return base;
  const content = toolCallBlocks(turn);
  return stop === "aborted" || stop === "error"
    ? withMark({ ...base, partial: { ...ended, tools: [] } }, unkept(before, content))
    : { ...base, messages: [...before.messages, { role: "assistant", content, time: turn.time }] };
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
  return { ...before, messages: [...before.messages, message], partial: { ...before.partial, tools: [] } };
}

function closeTurn(before: Transcript, stop: StopReason | "interrupted", duration?: number): Transcript {
  if (before.partial === null) return before; // the `done` of a compaction
  const flushed = flushResults(before);
  const turn = flushed.partial ?? before.partial;
  const shown = turn.content.length > 0 ? withMark(flushed, unkept(flushed, toolCallBlocks(turn))) : flushed;
  return withMark(
    { ...shown, partial: null },
    {
      kind: "turn",
      at: shown.messages.length,
      // A step that ended with tool calls and no further call was stopped while its tools ran: by an
      // abort, or (zot's --max-steps) by an error that comes without a turn_end of its own.
      stop: stop !== "tool_use" ? stop : turn.error === null ? "aborted" : "error",
      error: turn.error,
      calls: turn.calls,
      usage: turn.usage,
      ...(duration === undefined ? {} : { duration_ms: duration }),
    },
  );
}

function foldWorker(before: Transcript, frame: WorkerFrame): Transcript {
  if (frame.event === "ready" && frame.restored === false && before.messages.length > 0) {
    return notice(
      before,
      "worker",
      "warn",
      "The agent was started anew and does not remember what stands above.",
    );
  }
  if (frame.event !== "exited") return before;
  const closed = before.partial === null ? before : closeTurn(before, "interrupted");
  if (frame.reason === undefined) return closed;
  return withMark(closed, {
    kind: "worker_exit",
    at: closed.messages.length,
    reason: frame.reason,
    code: frame.code ?? null,
    signal: frame.signal ?? null,
    stderr: frame.stderr ?? "",
    time: frame.time,
  });
}
