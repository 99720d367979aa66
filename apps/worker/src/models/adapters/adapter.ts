// The seam between the agent and whatever answers it: one call in, a stream of events out, the last
// of which is always `end`. An adapter never throws: what went wrong is in the answer.
import type { ContentBlock, Message, ThinkingLevel, Usage } from "@patchbay/protocol";
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
  readonly signal: AbortSignal;
}

/** What kind of failure it was. */
export type Failure =
  /** It may go well the next time; `afterMs` is what the provider asks to wait. */
  | { readonly kind: "passing"; readonly afterMs?: number | undefined }
  /** More was sent than the model can take. */
  | { readonly kind: "overflow" }
  /** The same call would fail again. */
  | { readonly kind: "final" };

/** What one call used. */
export interface CallUsage extends Usage {
  /** Of the output, what the model thought with, where its provider tells. */
  readonly thinking?: number;
}

export interface Answer {
  readonly stop: "end" | "tool_use" | "length" | "error" | "aborted";
  readonly error?: string;
  readonly failure?: Failure;
  /** In the order the model wrote it; what had arrived when it was cut short. */
  readonly content: ContentBlock[];
  readonly usage: CallUsage;
}

export type ModelEvent =
  /** The provider accepted the call: from here on it costs something. */
  | { readonly type: "start" }
  /** What the provider has told of this call; its end tells all. */
  | { readonly type: "usage_so_far"; readonly usage: Usage }
  | { readonly type: "text_delta"; readonly delta: string }
  | { readonly type: "thinking_delta"; readonly delta: string }
  | { readonly type: "tool_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_args"; readonly id: string; readonly delta: string }
  | { readonly type: "tool_end"; readonly id: string }
  | { readonly type: "end"; readonly answer: Answer };

export type CallModel = (call: ModelCall) => AsyncIterable<ModelEvent>;

/** What cancelling is called on the wire; zot says it in Go's words, and readers look for them. */
export const cancelled = "context canceled";
