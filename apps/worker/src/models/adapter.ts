// The seam between the agent and whatever answers it: one call in, a stream of events out, the last
// of which is always `end`. An adapter never throws: what went wrong is in the answer.
import type { ContentBlock, Message, Usage } from "@patchbay/protocol";
import type { Reasoning } from "../flags.ts";
import type { Model } from "./catalog.ts";

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
  readonly reasoning?: Reasoning | undefined;
  readonly maxTokens?: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly stop: "end" | "tool_use" | "length" | "error" | "aborted";
  readonly error?: string;
  /** In the order the model wrote it; what had arrived when it was cut short. */
  readonly content: ContentBlock[];
  readonly usage: Usage;
}

export type ModelEvent =
  /** The provider accepted the call: from here on it costs something. */
  | { readonly type: "start" }
  | { readonly type: "text_delta"; readonly delta: string }
  | { readonly type: "thinking_delta"; readonly delta: string }
  | { readonly type: "tool_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_args"; readonly id: string; readonly delta: string }
  | { readonly type: "tool_end"; readonly id: string }
  | { readonly type: "end"; readonly answer: Answer };

export type CallModel = (call: ModelCall) => AsyncIterable<ModelEvent>;

/** What cancelling is called on the wire; zot says it in Go's words, and readers look for them. */
export const cancelled = "context canceled";
