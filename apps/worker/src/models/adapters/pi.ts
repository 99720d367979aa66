// The adapter to pi-ai: its events become ours. Each provider's wire format loads by itself, because
// the four together are several megabytes.
import type {
  Api,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Model as CatalogModel,
  SimpleStreamOptions,
  ToolCall,
  TranscriptContext,
} from "@earendil-works/pi-ai";
import { noUsage } from "@patchbay/protocol";
import { cancelled, type ModelAnswer, type ModelCall, type ModelEvent } from "./adapter.ts";
import { classifyFailure } from "./classify-failure.ts";
import { describeFailure } from "./describe-failure.ts";
import { type HttpOutcome, recordFetchOutcomes, withHttpOutcome } from "./http-outcome.ts";
import { toCallUsage, toContentBlocks } from "./pi-answer.ts";
import { toContext } from "./pi-context.ts";
import { toPiModel } from "./pi-model.ts";

recordFetchOutcomes();

export async function* callPi(call: ModelCall): AsyncGenerator<ModelEvent> {
  const model = toPiModel(call.model);
  const previews = new ToolPreviews();
  const outcome: HttpOutcome = {};
  try {
    const stream = await withHttpOutcome(outcome, () => open(model, toContext(call, model), options(call)));
    let reported = false;
    for await (const event of stream) {
      if (event.type === "start") yield { type: "start" };
      if (!reported && "partial" in event && event.partial.usage.input > 0) {
        reported = true;
        yield { type: "usage_so_far", usage: toCallUsage(event.partial.usage, call.model) };
      }
      if (event.type === "start") continue;
      if (event.type === "text_delta" || event.type === "thinking_delta") {
        if (event.delta !== "") yield { type: event.type, delta: event.delta };
      } else if (event.type === "done")
        yield { type: "end", answer: settle(call, event.message, event.reason, outcome) };
      else if (event.type === "error")
        yield { type: "end", answer: settle(call, event.error, event.reason, outcome) };
      else yield* previews.read(event);
    }
  } catch (error) {
    const stop = call.signal.aborted ? "aborted" : "error";
    const failure = classifyFailure(null, String(error), outcome);
    yield {
      type: "end",
      answer: { stop, error: describeFailure(call, String(error)), failure, content: [], usage: noUsage },
    };
  }
}

function options(call: ModelCall): SimpleStreamOptions {
  return {
    apiKey: call.model.access.apiKey,
    signal: call.signal,
    maxRetries: 0, // call-with-retries.ts does it, visibly and the same for every provider
    ...(call.maxTokens === undefined ? {} : { maxTokens: call.maxTokens }),
    ...(call.thinking === "off" ? {} : { reasoning: call.thinking }),
    // The limits of a self-hosted model are unknown, and one sent too high is refused.
    ...(call.model.entry === null ? { onPayload: withoutLimit } : {}),
  };
}

function withoutLimit(payload: unknown): unknown {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { max_tokens: _limit, ...rest } = Object(payload);
  return rest;
}

const speaks = <T extends Api>(model: CatalogModel<Api>, api: T): model is CatalogModel<T> =>
  model.api === api;

async function open(
  model: CatalogModel<Api>,
  context: TranscriptContext,
  options: SimpleStreamOptions,
): Promise<AssistantMessageEventStream> {
  if (speaks(model, "anthropic-messages")) {
    const { streamSimple } = await import("@earendil-works/pi-ai/api/anthropic-messages");
    return streamSimple(model, context, options);
  }
  if (speaks(model, "openai-responses")) {
    const { streamSimple } = await import("@earendil-works/pi-ai/api/openai-responses");
    return streamSimple(model, context, options);
  }
  if (speaks(model, "google-generative-ai")) {
    const { streamSimple } = await import("@earendil-works/pi-ai/api/google-generative-ai");
    return streamSimple(model, context, options);
  }
  if (speaks(model, "openai-completions")) {
    const { streamSimple } = await import("@earendil-works/pi-ai/api/openai-completions");
    return streamSimple(model, context, options);
  }
  throw new Error(`the API ${model.api} is not supported`);
}

type PiMessage = Extract<AssistantMessageEvent, { type: "done" }>["message"];

const stops = {
  stop: "end",
  toolUse: "tool_use",
  length: "length",
  error: "error",
  aborted: "aborted",
} as const;

function settle(call: ModelCall, message: PiMessage, reason: string, outcome: HttpOutcome): ModelAnswer {
  const stop = call.signal.aborted
    ? "aborted"
    : (Object.entries(stops).find(([name]) => name === reason)?.[1] ?? "error");
  const content = toContentBlocks(message, call.model);
  const usage = toCallUsage(message.usage, call.model);
  if (stop === "aborted") return { stop, error: cancelled, content, usage };
  if (stop === "error") {
    const raw = message.errorMessage ?? reason;
    const failure = classifyFailure(message, raw, outcome);
    return { stop, error: describeFailure(call, raw), failure, content, usage };
  }
  // Some servers report `stop` although they call tools.
  const calls = content.some((block) => block.type === "tool_call");
  return { stop: calls && stop === "end" ? "tool_use" : stop, content, usage };
}

type ToolEvent = Exclude<
  AssistantMessageEvent,
  { type: "start" | "text_delta" | "thinking_delta" | "done" | "error" }
>;

/** A call is announced once its id and name are known; OpenAI-style servers send them piecemeal. */
class ToolPreviews {
  readonly #announced = new Set<number>();

  *read(event: ToolEvent): Generator<ModelEvent> {
    if (event.type !== "toolcall_start" && event.type !== "toolcall_delta" && event.type !== "toolcall_end")
      return;
    const block = event.partial.content[event.contentIndex];
    if (block?.type !== "toolCall" || block.id === "" || block.name === "") return;
    yield* this.#announce(event.contentIndex, block);
    if (event.type === "toolcall_delta" && event.delta !== "") {
      yield { type: "tool_args", id: block.id, delta: event.delta };
    }
    if (event.type === "toolcall_end") yield { type: "tool_end", id: block.id };
  }

  *#announce(index: number, block: ToolCall): Generator<ModelEvent> {
    if (this.#announced.has(index)) return;
    this.#announced.add(index);
    yield { type: "tool_start", id: block.id, name: block.name };
  }
}
