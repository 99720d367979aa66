// Events: what a worker writes while it works. None carries a correlation id; the `id` inside tool
// events names the tool call. Objects are loose because unknown fields are relayed, never dropped.
import * as z from "zod/mini";
import { SentTokens, TokenBounds } from "../costs/cut-call.ts";
import { PlanLimitsEvent } from "../costs/plan-limits.ts";
import { CallCount, CallTokens, Usage } from "../costs/usage.ts";
import { Label } from "../lines/bounds.ts";
import { ContentBlocks, ResultBlocks, ResultDetails } from "./message.ts";
import { sessionEvents } from "./session-events.ts";
import { uiStateEvents } from "./ui-state-events.ts";

const event = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });

export const UserMessageEvent = z.extend(event("user_message"), {
  content: ContentBlocks,
  time: z.string(),
  /** It was sent into the running turn, which continues. */
  steering: z.optional(z.boolean()),
  /** The `key` of the command it was sent with. */
  key: z.optional(Label),
  entry_id: z.optional(Label),
});
export const TurnStartEvent = z.extend(event("turn_start"), { step: z.number() });
export const AssistantStartEvent = event("assistant_start");
export const TextDeltaEvent = z.extend(event("text_delta"), { delta: z.string() });
/** Ours: zot never shows thinking. */
export const ThinkingDeltaEvent = z.extend(event("thinking_delta"), { delta: z.string() });
export const ToolUseStartEvent = z.extend(event("tool_use_start"), { id: Label, name: Label });
export const ToolUseArgsEvent = z.extend(event("tool_use_args"), { id: Label, delta: z.string() });
export const ToolUseEndEvent = z.extend(event("tool_use_end"), { id: Label });
export const UsageEvent = z.extend(event("usage"), {
  ...Usage.shape,
  /** Of the output, what the model thought with, where its provider reports it. */
  thinking: z.optional(z.number().check(z.nonnegative())),
  /** Of `cache_write`, what the cache keeps for an hour instead of five minutes, where the provider reports it. */
  cache_write_1h: z.optional(z.number().check(z.nonnegative())),
  // What is billed beside tokens, where the provider tells it: its fast mode, searches that it made, images that the model made.
  fast: z.optional(z.boolean()),
  searches: z.optional(CallCount),
  images: z.optional(CallCount),
  cumulative: z.optional(Usage),
  /** `compaction`: no answer, so it says nothing about how full the context is. */
  purpose: z.optional(Label),
  /** zot: a tool's own call, which says nothing about it either. */
  auxiliary: z.optional(z.boolean()),
  /** zot's word for `thinking`; null where its provider does not report it. */
  reasoning: z.optional(z.nullable(z.number().check(z.nonnegative()))),
  /** How the call ended, where the worker tells: see CallEnding. */
  ended: z.optional(Label),
  /** The tokens are an estimate, because the call was cut: it used at least and at most so many. */
  bounds: z.optional(TokenBounds),
  /** These are not all the tokens that were billed (how full the context is, say): no rate can price them. */
  incomplete: z.optional(z.boolean()),
  /** It cost nothing by itself, which is known: without this, 0 for tokens is an unknown price. */
  costs_nothing: z.optional(z.boolean()),
  /** `catalog`: the worker computed `cost_usd` from prices that it ships with, so newer ones go before it. */
  cost_source: z.optional(Label),
  /** How full the context is now, where these tokens do not show it: they are those of several calls. */
  context: z.optional(CallTokens),
  /** Whose call it was, where the worker reports it with the call: it need not be the session's model of now. */
  provider: z.optional(Label),
  model: z.optional(Label),
  /** Which call it was, as in the program's own session file. */
  call: z.optional(Label),
  /** It was spent before the session came here: shown, and no entry of this session's in the ledger. */
  imported: z.optional(z.boolean()),
});
export type UsageEvent = z.infer<typeof UsageEvent>;
/**
 * `whole`: its figures are final. `cut`: by an abort, a broken stream or the end of the worker. `unanswered`: cut before the provider
 * answered.
 */
export type CallEnding = "whole" | "cut" | "unanswered";

/** Ours: a model call begins. Its `usage` or `call_end` follows; without either, the worker was killed during the call. */
export const CallStartEvent = z.extend(event("call_start"), {
  call: Label,
  provider: Label,
  model: Label,
  /** `compaction`: no answer's call. */
  purpose: z.optional(Label),
  sent: SentTokens,
  /** The most that the model may write; 0: not known. */
  max_output: z.number().check(z.nonnegative(), z.maximum(1_000_000_000)),
  costs_nothing: z.optional(z.boolean()),
});
export type CallStartEvent = z.infer<typeof CallStartEvent>;
/** Ours: a call ended that its provider does not bill: it was not reached, or refused the call. */
export const CallEndEvent = z.extend(event("call_end"), { call: Label, status: z.optional(z.number()) });

/** Ours: what the provider has reported of a call that still runs. Its `usage` replaces it; without one, it was cut. */
export const UsageSoFarEvent = z.extend(event("usage_so_far"), {
  ...Usage.shape,
  cache_write_1h: z.optional(z.number().check(z.nonnegative())),
  cost_source: z.optional(Label),
});
export type UsageSoFarEvent = z.infer<typeof UsageSoFarEvent>;
/** Ours: the worker waits for a permit to call a model (`call_permit`), because `require_permits` demands one for each call. */
export const CallPermitRequestEvent = z.extend(event("call_permit_request"), {
  id: Label,
  provider: Label,
  model: Label,
  /** The tokens that it will send, estimated. */
  input: CallTokens,
  /** The most that the model may answer, where the call or the model has such a limit. */
  max_output: z.optional(CallTokens),
  /** The worker knows what a call of this model costs. */
  priced: z.optional(z.boolean()),
});
export type CallPermitRequestEvent = z.infer<typeof CallPermitRequestEvent>;
export const AssistantMessageEvent = z.extend(event("assistant_message"), {
  content: ContentBlocks,
  time: z.string(),
});
export const ToolCallEvent = z.extend(event("tool_call"), {
  id: Label,
  name: Label,
  args: z.unknown(),
});
export const ToolProgressEvent = z.extend(event("tool_progress"), { id: Label, text: z.string() });
export const ToolResultEvent = z.extend(event("tool_result"), {
  id: Label,
  is_error: z.boolean(),
  content: ResultBlocks,
  duration_ms: z.optional(z.number()),
  details: z.optional(ResultDetails),
});

/** zot writes `end`; its documentation promises `end_turn`. Both mean the model had finished. */
export const StopReason = z.enum(["end", "end_turn", "tool_use", "length", "error", "aborted"]);
export type StopReason = z.infer<typeof StopReason>;

export const TurnEndEvent = z.extend(event("turn_end"), {
  stop: StopReason,
  error: z.optional(z.string()),
});
export const ErrorEvent = z.extend(event("error"), { message: z.string() });
export const DoneEvent = z.extend(event("done"), { duration_ms: z.optional(z.number()) });
export const CompactDoneEvent = z.extend(event("compact_done"), {
  summary: z.string(),
  /** How many messages at the end stayed as they were; zot keeps 4 and does not say so. */
  kept: z.optional(z.number()),
});
export const NoticeLevel = z.enum(["info", "success", "warn", "error"]);
export type NoticeLevel = z.infer<typeof NoticeLevel>;

export const ExtNotifyEvent = z.extend(event("ext_notify"), {
  extension: Label,
  level: Label,
  message: z.string(),
});
export const ExtDisplayEvent = z.extend(event("ext_display"), {
  extension: Label,
  text: z.string(),
});

/** zot's, from a later version: the extension takes its notes back. */
export const ExtClearNotesEvent = z.extend(event("ext_clear_notes"), { extension: Label });

/** omp's name for a question to a person, or (for methods such as `notify`) a message to the page. */
export const UiRequestEvent = z.extend(event("extension_ui_request"), {
  id: Label,
  method: Label,
  /** `cancel`: the question that is withdrawn, because the asking program gave up. */
  targetId: z.optional(Label),
  title: z.optional(z.string()),
  message: z.optional(z.string()),
  options: z.optional(z.array(z.unknown())),
  /** Milliseconds. */
  timeout: z.optional(z.number()),
});
export type UiRequestEvent = z.infer<typeof UiRequestEvent>;

export const WorkerEvent = z.discriminatedUnion("type", [
  UserMessageEvent,
  TurnStartEvent,
  AssistantStartEvent,
  TextDeltaEvent,
  ThinkingDeltaEvent,
  ToolUseStartEvent,
  ToolUseArgsEvent,
  ToolUseEndEvent,
  CallStartEvent,
  CallEndEvent,
  UsageEvent,
  UsageSoFarEvent,
  CallPermitRequestEvent,
  PlanLimitsEvent,
  AssistantMessageEvent,
  ToolCallEvent,
  ToolProgressEvent,
  ToolResultEvent,
  TurnEndEvent,
  ErrorEvent,
  DoneEvent,
  CompactDoneEvent,
  ExtNotifyEvent,
  ExtDisplayEvent,
  ExtClearNotesEvent,
  UiRequestEvent,
  ...uiStateEvents,
  ...sessionEvents,
]);
export type WorkerEvent = z.infer<typeof WorkerEvent>;

/** The questions a person answers; the other methods of `extension_ui_request` need no answer. */
export const questionMethods: ReadonlySet<string> = new Set(["select", "confirm", "input", "editor"]);
