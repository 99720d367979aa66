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
import { type CallUsage, cancelled, type ModelAnswer, type ModelCall, type ModelEvent } from "./adapter.ts";
import { classifyFailure } from "./classify-failure.ts";
import { cutUsage, unansweredUsage } from "./cut-usage.ts";
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
  const progress: Progress = { streamedBytes: 0 };
  try {
    const stream = await withHttpOutcome(outcome, () => open(model, toContext(call, model), options(call)));
    let reported = -usageStep;
    for await (const event of stream) {
      if (event.type === "start") yield { type: "start" };
      if ("partial" in event && isCounted(event.partial.usage, reported)) {
        reported = event.partial.usage.output;
        yield { type: "usage_so_far", usage: toCallUsage(event.partial.usage, call.model) };
      }
      if (event.type === "start") continue;
      if ("delta" in event) progress.streamedBytes += Buffer.byteLength(event.delta);
      if (event.type === "text_delta" || event.type === "thinking_delta") {
        if (event.delta !== "") yield { type: event.type, delta: event.delta };
      } else if (event.type === "done")
        yield { type: "end", answer: settle(call, event.message, event.reason, outcome, progress) };
      else if (event.type === "error")
        yield { type: "end", answer: settle(call, event.error, event.reason, outcome, progress) };
      else yield* previews.read(event);
    }
  } catch (error) {
    const stop = call.signal.aborted ? "aborted" : "error";
    const failure = classifyFailure(null, String(error), outcome);
    const usage = usageOfCut(call, null, outcome, progress);
    const { status } = outcome;
    yield {
      type: "end",
      answer: { stop, error: describeFailure(call, String(error)), failure, content: [], usage, status },
    };
  }
}

interface Progress {
  /** Of text, thinking and arguments. */
  streamedBytes: number;
}

/** Some providers count with every piece of their answer; it is reported after so many tokens. */
const usageStep = 256;

/** Input that was read from the cache is counted apart, and may be all of it. */
const isCounted = ({ input, output, cacheRead, cacheWrite }: PiMessage["usage"], reported: number): boolean =>
  input + cacheRead + cacheWrite > 0 && output >= reported + usageStep;

/** The usage of a call that did not come to its end; null: the provider does not bill it. */
function usageOfCut(
  call: ModelCall,
  message: PiMessage | null,
  { status, notReached }: HttpOutcome,
  { streamedBytes }: Progress,
): CallUsage | null {
  const counted = message === null ? noCounts : toCallUsage(message.usage, call.model);
  const isAnswered =
    status === 200 || streamedBytes > 0 || counted.output + counted.cache_read + counted.input > 0;
  if (isAnswered) return cutUsage(call, counted, streamedBytes);
  return status !== undefined || notReached === true ? null : unansweredUsage(call);
}

const noCounts: CallUsage = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };

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

function settle(
  call: ModelCall,
  message: PiMessage,
  reason: string,
  outcome: HttpOutcome,
  progress: Progress,
): ModelAnswer {
  const stop = call.signal.aborted
    ? "aborted"
    : (Object.entries(stops).find(([name]) => name === reason)?.[1] ?? "error");
  const content = toContentBlocks(message, call.model);
  if (stop === "aborted" || stop === "error") {
    const usage = usageOfCut(call, message, outcome, progress);
    const { status } = outcome;
    if (stop === "aborted") return { stop, error: cancelled, content, usage, status };
    const raw = message.errorMessage ?? reason;
    const failure = classifyFailure(message, raw, outcome);
    return { stop, error: describeFailure(call, raw), failure, content, usage, status };
  }
  const reported = toCallUsage(message.usage, call.model);
  // A server that reports no usage has counted nothing.
  const isReported = reported.input + reported.output + reported.cache_read + reported.cache_write > 0;
  const usage = isReported ? reported : cutUsage(call, reported, progress.streamedBytes);
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
