// foldTranscript: the only place that interprets frames. Pure and total: any frame gives a transcript,
// and one that changes nothing gives the same object back.
import {
  addUsage,
  changePrice,
  contextTokens,
  isUnpriced,
  reportedUsage,
  toNanoDollars,
  type Usage,
  uncertaintyOf,
} from "../costs/usage.ts";
import type { UsageEvent } from "../events/events.ts";
import { type Frame, readFrameValue, wasRead } from "../frames/frame.ts";
import type { BudgetFrame, PricedFrame, WorkerFrame } from "../frames/server-frames.ts";
import { nameBranch, startBranch, walkTo } from "../transcript/branches.ts";
import { append, replaceAt } from "../transcript/growing.ts";
import { emptyTranscript, type Transcript } from "../transcript/transcript.ts";
import { addAuthor, takeAuthor, withAuthors } from "./authors.ts";
import { foldUiState } from "./fold-ui-state.ts";
import { endRetry, notice, settleQuestion, startRetry, uiNotice, withMark } from "./notices.ts";
import { dropBash, endBash, startBash, streamBash } from "./person-commands.ts";
import { addProgress, confirmCall, finishTool, startTool, streamArgs } from "./tool-runs.ts";
import {
  appendDelta,
  atRest,
  closeTurn,
  endCall,
  inTurn,
  joinsTurn,
  openTurn,
  promptMessage,
  settleAnswer,
  steerTurn,
  takeBack,
} from "./turn.ts";

/** zot keeps the last four messages when it compacts, and does not report it. */
const zotKeeps = 4;

export function foldTranscript(before: Transcript, frame: Frame): Transcript {
  const sound = soundFrame(frame);
  if (sound === null) return before;
  const after = fold(before, sound);
  const surface = foldUiState(before.surface, sound);
  return after.surface === surface ? after : { ...after, surface };
}

/**
 * The types promise it, and callers read with readFrame; but one cast on the way in would otherwise
 * put a message without content into every snapshot. Deltas, nearly all of a stream, and what was read take the short way.
 */
function soundFrame(frame: Frame): Frame | null {
  if (typeof frame !== "object" || frame === null) return null;
  if (frame.type === "text_delta" || frame.type === "thinking_delta")
    return typeof frame.delta === "string" ? frame : null;
  if (wasRead(frame)) return frame;
  const reading = readFrameValue(frame);
  return reading.kind === "frame" ? reading.frame : null;
}

function fold(before: Transcript, frame: Frame): Transcript {
  switch (frame.type) {
    case "user_message":
      return foldPrompt(before, frame);
    case "authored":
      return withAuthors(before, addAuthor(before.authors ?? [], frame));
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
      const call = reportedUsage(frame);
      const counted = { ...before, usage: addUsage(before.usage, call) };
      if (before.partial === null) return counted; // a compaction's call says nothing about the context
      const turn = before.partial;
      return {
        ...counted,
        // Nor does one within a turn, or one that was cut before the provider reported its usage.
        context_tokens: frame.context || (isAnswers(frame) && contextTokens(call)) || before.context_tokens,
        partial: { ...turn, calls: turn.calls + 1, usage: addUsage(turn.usage, call) },
      };
    }
    case "assistant_message":
      return settleAnswer(before, { role: "assistant", content: frame.content, time: frame.time });
    case "turn_end":
      return endCall(before, frame.stop, frame.error);
    case "error":
      if (before.partial === null && nothingToCompact.test(frame.message))
        return notice(before, "compaction", "info", "Nothing to compact yet.");
      if (before.partial === null && frame.message === "aborted")
        return notice(before, "compaction", "info", "Compaction stopped.");
      return before.partial === null
        ? withMark(before, { kind: "error", at: before.messages.length, message: frame.message })
        : inTurn(before, (turn) => ({ ...turn, error: frame.message }));
    case "done":
      return closeTurn(before, before.partial?.stop ?? "end", frame.duration_ms);
    case "compact_done":
      return foldCompaction(before, frame);
    case "ext_notify":
      return notice(before, frame.extension, frame.level, frame.message);
    case "ext_display":
      return notice(before, frame.extension, "display", frame.text);
    case "worker":
      return foldWorker(before, frame);
    case "budget":
      return notice(before, "budget", budgetLevel(frame), frame.message);
    case "priced":
      return priceCall(before, frame);
    case "imported":
      return notice(
        before,
        "import",
        frame.unreadable === 0 ? "info" : "warn",
        `The conversation above took place in ${frame.program}.${unreadable(frame.unreadable)}`,
      );
    case "stop_requested":
      return before.partial === null
        ? before
        : { ...before, partial: { ...before.partial, stop_requested: true } };
    case "turn_state":
      return before; // for programs; the frames of the turn itself are shown
    case "cleared":
      return { ...emptyTranscript, usage: before.usage };
    case "bash_start":
      return startBash(before, frame.id, frame.command, frame.time);
    case "bash_output":
      return streamBash(before, frame.id, frame.text);
    case "bash_end":
      return endBash(before, frame);
    case "branched":
      return afterTheTurn(before, (rest) =>
        startBranch(nameBranch(rest, frame.from, frame.from_agent_session), frame.entry_id, frame.branch),
      );
    case "branch_switched":
      return afterTheTurn(before, (rest) =>
        walkTo(nameBranch(rest, frame.from, frame.from_agent_session), frame.branch),
      );
    case "messages_loaded":
      return frame.messages.length === 0
        ? before
        : { ...before, messages: append(before.messages, frame.messages), context_tokens: null };
    case "session_info_changed":
      return before; // the name travels with the session
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
    case "call_start":
    case "call_end":
    case "usage_so_far": // the call's own usage counts
    case "call_permit_request":
    case "plan_limits":
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

function foldPrompt(before: Transcript, frame: Extract<Frame, { type: "user_message" }>): Transcript {
  const { by, left } = takeAuthor(before.authors ?? [], { command: "prompt", key: frame.key });
  const named = by === undefined ? before : withAuthors(before, left);
  const message = by === undefined ? promptMessage(frame) : { ...promptMessage(frame), by };
  return joinsTurn(named, frame.steering ?? false)
    ? steerTurn(named, frame.steering ? { ...message, steering: true } : message)
    : openTurn(named, message);
}

function foldCompaction(before: Transcript, frame: Extract<Frame, { type: "compact_done" }>): Transcript {
  const { by, left } = takeAuthor(before.authors ?? [], { command: "compact" });
  return withMark(
    { ...(by === undefined ? before : withAuthors(before, left)), context_tokens: null },
    {
      kind: "compaction",
      at: before.messages.length,
      summary: frame.summary,
      kept: frame.kept ?? zotKeeps,
      ...(by === undefined ? {} : { by }),
    },
  );
}

/** How agents refuse a compaction that has nothing to do, which is no error. */
const nothingToCompact = /^(error: )?nothing to compact\b/i;

/** The turn ends first, but only for a change that can be made: what was closed in place cannot be opened again. */
const afterTheTurn = (before: Transcript, change: (rest: Transcript) => Transcript | null): Transcript =>
  change(before) === null ? before : (change(atRest(before)) ?? before);

const budgetLevel = ({ event }: BudgetFrame): string =>
  event === "stopped" || event === "held"
    ? "error"
    : event === "granted" || event === "changed" || event === "waiting"
      ? "info"
      : "warn";

const isAnswers = ({ purpose, auxiliary }: UsageEvent): boolean =>
  purpose === undefined && auxiliary !== true;

/** The newest call cost something else than its frame reported; its turn may be over by now. */
function priceCall(before: Transcript, frame: PricedFrame): Transcript {
  const { cost_usd, price: source, was, purpose, more_output = 0 } = frame;
  const reported = was ?? { cost_usd: 0, unpriced: 1 };
  const [then, now] = [uncertaintyOf(reported), uncertaintyOf(frame)];
  const change = {
    cost_nanos: toNanoDollars(cost_usd) - toNanoDollars(reported.cost_usd),
    unpriced: Number(isUnpriced(source)) - reported.unpriced,
    estimated: now.estimated - then.estimated,
    below_nanos: now.below_nanos - then.below_nanos,
    above_nanos: now.above_nanos - then.above_nanos,
  };
  const price = (usage: Usage): Usage => ({
    ...changePrice(usage, change),
    output: usage.output + more_output,
  });
  const priced = { ...before, usage: price(before.usage) };
  const { partial } = before;
  if (partial !== null) return { ...priced, partial: { ...partial, usage: price(partial.usage) } };
  const at = before.marks.findLastIndex((mark) => mark.kind === "turn");
  const turn = before.marks[at];
  if (turn?.kind !== "turn" || purpose === "compaction") return priced;
  if (was === undefined && turn.usage.unpriced === undefined) return priced;
  return { ...priced, marks: replaceAt(before.marks, at, { ...turn, usage: price(turn.usage) }) };
}

function unreadable(lines: number): string {
  if (lines === 0) return "";
  return lines === 1
    ? " One line of its file could not be read."
    : ` ${lines} lines of its file could not be read.`;
}

/** An extension is named by where it lies; its directory has its name. */
const extensionName = (path: string): string => path.replace(/\/+$/, "").split("/").pop() ?? path;

function foldWorker(before: Transcript, frame: WorkerFrame): Transcript {
  if (frame.event === "ready" && frame.restored === false && before.messages.length > 0) {
    return notice(
      before,
      "worker",
      "warn",
      "The agent was restarted and does not remember the conversation above.",
    );
  }
  if (frame.event !== "exited") return before;
  // A message that the dead worker was given and did not show is given again, with its author.
  const forgotten = before.authors === undefined ? before : withAuthors(before, []);
  const closed = dropBash(forgotten.partial === null ? forgotten : closeTurn(forgotten, "interrupted"));
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
