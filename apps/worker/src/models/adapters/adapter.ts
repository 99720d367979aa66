// The interface between the agent and a model: one call in, a stream of events out, the last
// of which is always `end`. An adapter never throws: what went wrong is in the answer.
import type {
  CallEnding,
  ContentBlock,
  Message,
  SentTokens,
  ThinkingLevel,
  TokenBounds,
  Usage,
} from "@patchbay/protocol";
import type { Model } from "../catalog.ts";

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelCall {
  /** summary: a compaction; no tools, no thinking. */
  readonly purpose: "answer" | "summary";
  readonly model: Model;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDeclaration[];
  /** One that the model has. */
  readonly thinking: ThinkingLevel;
  readonly maxTokens?: number;
  /** The size of the request, for a call that is cut before its provider counts it. */
  readonly sent?: SentTokens;
  readonly signal: AbortSignal;
}

/** What kind of failure it was. */
export type ModelFailure =
  /** The next attempt may succeed; `afterMs` is what the provider asks to wait. */
  | { readonly kind: "passing"; readonly afterMs?: number | undefined }
  /** More was sent than the model can take. */
  | { readonly kind: "overflow" }
  /** The same call would fail again. */
  | { readonly kind: "final" };

/** What one call used. */
export interface CallUsage extends Usage {
  /** The part of the output that was thinking, where the provider reports it. */
  readonly thinking?: number;
  readonly cache_write_1h?: number;
  /** The cost was computed from prices that this program ships with. */
  readonly cost_source?: "catalog";
  /** A cost of 0 is known, not missing. */
  readonly costs_nothing?: boolean;
  /** The figures are an estimate: the call was cut, or its provider does not report usage. */
  readonly bounds?: TokenBounds;
  /** Absent: `whole`. */
  readonly ended?: CallEnding;
}

export interface ModelAnswer {
  readonly stop: "end" | "tool_use" | "length" | "error" | "aborted";
  readonly error?: string;
  readonly failure?: ModelFailure;
  /** In the order the model wrote it; what had arrived when it was cut short. */
  readonly content: ContentBlock[];
  /** Null: the provider bills nothing, because it was not reached or refused the call. */
  readonly usage: CallUsage | null;
  /** The status of a refusal. */
  readonly status?: number | undefined;
}

export type ModelEvent =
  /** The provider accepted the call: from here on it costs something. */
  | { readonly type: "start" }
  /** The usage that the provider has reported so far, repeated when it has grown; `end` has all of it. */
  | { readonly type: "usage_so_far"; readonly usage: CallUsage }
  | { readonly type: "text_delta"; readonly delta: string }
  | { readonly type: "thinking_delta"; readonly delta: string }
  | { readonly type: "tool_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_args"; readonly id: string; readonly delta: string }
  | { readonly type: "tool_end"; readonly id: string }
  | { readonly type: "end"; readonly answer: ModelAnswer };

export type CallModel = (call: ModelCall) => AsyncIterable<ModelEvent>;

/** The error of a cancelled call on the wire: zot writes Go's text, and clients look for it. */
export const cancelled = "context canceled";
