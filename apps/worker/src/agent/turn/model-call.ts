// One model call: its events become frames, its answer comes back. `usage` is written exactly once for
// every call the provider accepted, also when it was cut short, because it is charged. With `reportUsage`, each call
// is announced, so that none is lost when this process is killed.
import { randomUUID } from "node:crypto";
import type { WorkerEvent } from "@patchbay/protocol";
import {
  cancelled,
  type ModelAnswer,
  type ModelCall,
  type ModelEvent,
} from "../../models/adapters/adapter.ts";
import { connectModel } from "../../models/adapters/connect-model.ts";
import { measureRequest, sentTokens } from "../../models/adapters/measure-request.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { CallPermits } from "./call-permits.ts";
import { ThinkingTimer } from "./thinking-timer.ts";

const notStarted = (signal: AbortSignal): ModelAnswer => ({
  stop: signal.aborted ? "aborted" : "error",
  error: signal.aborted ? cancelled : "the model gave no answer",
  content: [],
  usage: null,
});

export interface CallParts {
  readonly conversation: Conversation;
  readonly output: WorkerOutput;
  /** Announce each call, and write `usage_so_far` as soon as the provider reports it. */
  readonly reportUsage: boolean;
  readonly demoDelayMs: number;
  readonly permits: CallPermits;
}

export async function callModel(
  { conversation, output, reportUsage, demoDelayMs, permits }: CallParts,
  call: ModelCall,
  show: boolean,
): Promise<ModelAnswer> {
  let answer = notStarted(call.signal);
  const timer = new ThinkingTimer();
  const model = await connectModel(call.model, demoDelayMs);
  const size = measureRequest(call);
  const sent = sentTokens(size, call.model.contextWindow, conversation.tokensPerByte);
  const permit = await permits.request(call, sent.estimate);
  if (permit.is === "denied") return { ...notStarted(call.signal), stop: "aborted", error: permit.reason };
  if (call.signal.aborted || permit.is === "aborted") return { ...notStarted(call.signal), stop: "aborted" };
  const id = randomUUID();
  const purpose = call.purpose === "summary" ? { purpose: "compaction" } : {};
  if (reportUsage) {
    const { provider, id: model, maxOutput } = call.model;
    const max_output = call.maxTokens ?? maxOutput;
    const free = provider === "demo" ? { costs_nothing: true } : {};
    output.write({ type: "call_start", call: id, provider, model, sent, max_output, ...purpose, ...free });
  }
  for await (const event of model({ ...call, sent })) {
    if (event.type === "usage_so_far") {
      if (reportUsage) output.write({ type: "usage_so_far", ...event.usage });
      continue;
    }
    timer.observe(event);
    if (event.type === "end") {
      answer = event.answer;
      break;
    }
    // After an abort deltas are no longer shown; what still arrives is in the partial answer.
    if (show && !call.signal.aborted) output.write(toFrame(event));
    await output.ready();
  }
  const { usage, status } = answer;
  if (usage === null) {
    if (reportUsage)
      output.write({ type: "call_end", call: id, ...(status === undefined ? {} : { status }) });
  } else if (usage.ended !== "unanswered" || reportUsage) {
    conversation.recordUsage(usage);
    if (usage.ended === undefined && usage.bounds === undefined) conversation.recordRequest(size, usage);
    if (call.purpose === "answer") conversation.recordContextTokens(usage);
    output.write({ type: "usage", ended: "whole", ...usage, cumulative: conversation.usage, ...purpose });
  }
  return { ...answer, content: timer.addDurations(answer.content) };
}

function toFrame(event: Exclude<ModelEvent, { type: "end" | "usage_so_far" }>): WorkerEvent {
  switch (event.type) {
    case "start":
      return { type: "assistant_start" };
    case "tool_start":
      return { type: "tool_use_start", id: event.id, name: event.name };
    case "tool_args":
      return { type: "tool_use_args", id: event.id, delta: event.delta };
    case "tool_end":
      return { type: "tool_use_end", id: event.id };
    default:
      return event;
  }
}
