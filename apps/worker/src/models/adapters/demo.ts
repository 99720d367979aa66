// The offline demo model: a provider like any other, except that it is a few rules. It keeps no state:
// which step comes next follows from the transcript, so abort, queueing and restore work as they do
// for real models.
import type { ContentBlock, Message, ToolResultBlock } from "@patchbay/protocol";
import {
  type CallModel,
  type CallUsage,
  cancelled,
  type ModelAnswer,
  type ModelCall,
  type ModelEvent,
} from "./adapter.ts";
import { plan } from "./demo-intents.ts";
import {
  abilities,
  compactSummary,
  demoIntroduction,
  greeting,
  imageNote,
  summariseResults,
  thoughts,
  userText,
} from "./demo-replies.ts";

interface Script {
  readonly thinking: string;
  readonly text: string;
  readonly call?: { readonly id: string; readonly name: string; readonly args: unknown };
}

export const demo = (delayMs: number): CallModel =>
  async function* (call) {
    yield { type: "start" };
    const script = call.purpose === "summary" ? summary(call) : write(call.messages, call.tools.length > 0);
    const content: ContentBlock[] = [];
    const pace = () => pause(delayMs, call.signal);
    for (const kind of ["thinking", "text"] as const) {
      let text = "";
      for (const delta of pieces(script[kind])) {
        await pace();
        if (call.signal.aborted) break;
        text += delta;
        yield kind === "text" ? { type: "text_delta", delta } : { type: "thinking_delta", delta };
      }
      if (text !== "") content.push({ type: kind, text });
    }
    if (script.call !== undefined && !call.signal.aborted) yield* callTool(script.call, content, pace);
    yield { type: "end", answer: settle(call, content) };
  };

async function* callTool(
  { id, name, args }: NonNullable<Script["call"]>,
  content: ContentBlock[],
  pace: () => Promise<void>,
): AsyncGenerator<ModelEvent> {
  content.push({ type: "tool_call", id, name, args });
  yield { type: "tool_start", id, name };
  for (const delta of pieces(JSON.stringify(args))) {
    await pace();
    yield { type: "tool_args", id, delta };
  }
  yield { type: "tool_end", id };
}

function settle(call: ModelCall, content: ContentBlock[]): ModelAnswer {
  const usage = usageOf(call, content);
  if (call.signal.aborted) return { stop: "aborted", error: cancelled, content, usage };
  return { stop: content.some((block) => block.type === "tool_call") ? "tool_use" : "end", content, usage };
}

const summary = (call: ModelCall): Script => ({
  thinking: "",
  text: compactSummary(userText(call.messages[0])),
});

function write(messages: readonly Message[], hasTools: boolean): Script {
  const at = messages.findLastIndex((message) => message.role === "user");
  const prompt = messages[at];
  const since = messages.slice(at + 1);
  const opening = messages.some((message) => message.role === "assistant" && userText(message) !== "")
    ? ""
    : demoIntroduction;
  const images = prompt?.content.filter((block) => block.type === "image").length ?? 0;
  const start = opening + (images > 0 ? imageNote(images) : "");
  const text = userText(prompt);
  const calls = hasTools ? plan(text) : [];
  const results = since.flatMap((message) =>
    message.content.filter((block): block is ToolResultBlock => block.type === "tool_result"),
  );
  const next = calls[results.length];
  const thinking = thoughts(calls, results.length);
  if (next !== undefined) {
    const announcement = `${results.length === 0 ? start : ""}${results.length === 0 ? "I will" : "Next I"} ${next.intention}.`;
    // The id must be new in the whole conversation: results are matched by it.
    const id = `demo_${messages.length}_${results.length}`;
    return { thinking, text: announcement, call: { id, name: next.name, args: next.args } };
  }
  if (calls.length > 0) return { thinking, text: summariseResults(calls, results) };
  if (/^\s*(?:hi|hello|hey|good (?:morning|evening|day)|help|what can you do)\b/i.test(text)) {
    return { thinking: "A greeting: I will introduce myself and list what to try.", text: start + greeting };
  }
  return {
    thinking: "I found no request that I can carry out. I will list what I can do.",
    text:
      start +
      (images > 0 && text.trim() === "" ? abilities.slice(abilities.indexOf("What I can")) : abilities),
  };
}

/** Text in pieces of a few characters, as models stream it; never half of a surrogate pair. */
function* pieces(text: string): Generator<string> {
  for (const found of text.matchAll(/\s*\S{1,12}|\s+$/gu)) yield found[0];
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    // Also without a delay the event loop must turn, or an abort would never be read.
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

/** Tokens estimated at four characters each. The demo is free: simulated money would end in sums that people rely on. */
function usageOf(call: ModelCall, content: readonly ContentBlock[]): CallUsage {
  const sent =
    call.system.length + JSON.stringify(call.messages.map((message) => message.content.map(sized))).length;
  const input = Math.ceil(sent / 4);
  const output = Math.ceil(JSON.stringify(content).length / 4);
  return { input, output, cache_read: 0, cache_write: 0, cost_usd: 0, costs_nothing: true };
}

const sized = (block: ContentBlock): unknown => (block.type === "image" ? "x".repeat(4_000) : block);
