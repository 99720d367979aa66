// One model call: its events become frames, its answer comes back. `usage` is written exactly once for
// every call the provider accepted, also when it was cut short, because it is charged.
import type { WorkerEvent } from "@patchbay/protocol";
import {
  cancelled,
  type ModelAnswer,
  type ModelCall,
  type ModelEvent,
} from "../../models/adapters/adapter.ts";
import { connectModel } from "../../models/adapters/connect-model.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { CallPermits } from "./call-permits.ts";
import { ThinkingTimer } from "./thinking-timer.ts";

const notStarted = (signal: AbortSignal): ModelAnswer => ({
  stop: signal.aborted ? "aborted" : "error",
  error: signal.aborted ? cancelled : "the model gave no answer",
  content: [],
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
});

export interface CallParts {
  readonly conversation: Conversation;
  readonly output: WorkerOutput;
  /** Write `usage_so_far` as soon as the provider reports it. */
  readonly reportUsage: boolean;
  readonly demoDelayMs: number;
  readonly permits: CallPermits;
}

export async function callModel(
  { conversation, output, reportUsage, demoDelayMs, permits }: CallParts,
  call: ModelCall,
  show: boolean,
): Promise<ModelAnswer> {
  let accepted = false;
  let answer = notStarted(call.signal);
  const timer = new ThinkingTimer();
  const model = await connectModel(call.model, demoDelayMs);
  const permit = await permits.request(call);
  if (permit.is === "denied") return { ...notStarted(call.signal), stop: "aborted", error: permit.reason };
  if (call.signal.aborted || permit.is === "aborted") return { ...notStarted(call.signal), stop: "aborted" };
  for await (const event of model(call)) {
    if (event.type === "start") accepted = true;
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
  if (accepted) {
    conversation.recordUsage(answer.usage);
    if (call.purpose === "answer") conversation.recordContextTokens(answer.usage);
    output.write({
      type: "usage",
      ...answer.usage,
      cumulative: conversation.usage,
      ...(call.purpose === "summary" ? { purpose: "compaction" } : {}),
    });
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
