// The frames of a turn in our grammar, from pi's messages and tools. Our step is one model call: it starts with its
// answer and ends with it, before the tools run, while pi's `turn_end` comes after them.
import {
  addUsage,
  type ContentBlock,
  noUsage,
  type StopReason,
  type Usage,
  type UsageEvent,
} from "@patchbay/protocol";
import type * as z from "zod/mini";
import type { TypedFrameOutput } from "../../frame-output.ts";
import type { Branches } from "../conversation/branches.ts";
import { textOf, toResult, toTime, toUsage } from "../wire/blocks.ts";
import { piCallKey } from "../wire/call-key.ts";
import type { FoundDelta } from "../wire/find-delta.ts";
import { CallBlock, type CallStart, type PiMessage, type ToolEnd, type ToolUpdate } from "../wire/schemas.ts";
import { Answer } from "./streamed-answer.ts";
import { ToolOutput } from "./tool-output.ts";

const stops: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "end"],
  ["toolUse", "tool_use"],
  ["length", "length"],
  ["error", "error"],
  ["aborted", "aborted"],
]);

const heads = {
  text: Buffer.from('{"type":"text_delta","delta":'),
  thinking: Buffer.from('{"type":"thinking_delta","delta":'),
};
const tail = Buffer.from("}");
const emptyString = 2;

interface Tool {
  output: ToolOutput;
  startedAt: number;
}

export class TurnFrames {
  readonly #out: TypedFrameOutput;
  readonly #branches: Branches;
  #step = 0;
  #answer: Answer | null = null;
  /** Calls without a result yet. An update may come after the result (omp): it is too late then. */
  readonly #tools = new Map<string, Tool>();
  /** What this worker has used since it started. */
  #used: Usage = noUsage;

  constructor(out: TypedFrameOutput, branches: Branches) {
    this.#out = out;
    this.#branches = branches;
  }

  get used(): Usage {
    return this.#used;
  }

  userMessage(content: ContentBlock[], time: string, known: { key?: string; steering?: boolean }): void {
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    const entry_id = this.#branches.said(text);
    this.#out.frame({ type: "user_message", content, time, entry_id, ...known });
  }

  /** A turn is over: steps are counted anew. */
  reset(): void {
    this.#step = 0;
    this.#answer = null;
    this.#tools.clear();
  }

  answerStarts(): Answer {
    this.#out.frame({ type: "turn_start", step: ++this.#step });
    this.#out.frame({ type: "assistant_start" });
    this.#answer = new Answer();
    return this.#answer;
  }

  delta(found: FoundDelta): void {
    if (found.json.length === emptyString) return;
    const answer = this.#answer ?? this.answerStarts();
    if (found.kind !== "args") {
      answer.add(found);
      this.#out.line(heads[found.kind], found.json, tail);
      return;
    }
    const id = answer.call(found.block);
    if (id === undefined) return; // its start was never told: the message will have the call
    this.#out.line(
      Buffer.from(`{"type":"tool_use_args","id":${JSON.stringify(id)},"delta":`),
      found.json,
      tail,
    );
  }

  callStarts({ contentIndex, id, toolName, partial }: z.infer<typeof CallStart>["assistantMessageEvent"]) {
    const answer = this.#answer ?? this.answerStarts();
    const named = CallBlock.safeParse({ id, name: toolName }).data;
    const call = named ?? CallBlock.safeParse(partial?.content[contentIndex]).data;
    if (call !== undefined && answer.startCall(contentIndex, call.id))
      this.#out.frame({ type: "tool_use_start", id: call.id, name: call.name });
  }

  /** Answers why it failed, if it did. `aborting`: what now fails was stopped by a person. */
  answerEnds(message: PiMessage, aborting: boolean): string | undefined {
    const answer = this.#answer ?? this.answerStarts();
    this.#answer = null;
    const told = stops.get(message.stopReason ?? "stop") ?? "end";
    const stop = told === "error" && aborting ? "aborted" : told;
    const broken = stop === "error" || stop === "aborted";
    // A call that was cut off never runs.
    const content = answer.settle(message.content).filter(({ type }) => !broken || type !== "tool_call");
    for (const id of answer.calls) this.#out.frame({ type: "tool_use_end", id });
    this.#tellUsage(message);
    if (content.length > 0 && (broken || !answer.tells(content)))
      this.#out.frame({ type: "assistant_message", content, time: toTime(message.timestamp) });
    for (const block of content) if (block.type === "tool_call") this.#call(block.id, block.name, block.args);
    const error = stop === "error" ? (message.errorMessage ?? "The model call failed.") : undefined;
    // Why is said when the turn is over: until then it may be tried again.
    this.#out.frame({ type: "turn_end", stop });
    return error;
  }

  toolStarts(id: string, name: string, args: unknown): void {
    const tool = this.#tools.get(id);
    if (tool === undefined) this.#call(id, name, args);
    else tool.startedAt = performance.now();
  }

  toolUpdate({ toolCallId, partialResult }: z.infer<typeof ToolUpdate>): void {
    const text = this.#tools.get(toolCallId)?.output.next(textOf(partialResult.content)) ?? "";
    if (text !== "") this.#out.frame({ type: "tool_progress", id: toolCallId, text });
  }

  toolEnds({ toolCallId: id, result, isError, durationMs }: z.infer<typeof ToolEnd>): void {
    const tool = this.#tools.get(id);
    if (tool === undefined) return;
    this.#tools.delete(id);
    const details = typeof result.details?.["diff"] === "string" ? { details: result.details } : {};
    this.#out.frame({
      type: "tool_result",
      id,
      is_error: isError,
      content: toResult(result.content),
      duration_ms: durationMs ?? Math.round(performance.now() - tool.startedAt),
      ...details,
    });
  }

  /** The result as a message; it says something new only when the tool's end was not told. */
  resultMessage({ toolCallId, content, isError }: PiMessage): void {
    if (toolCallId === undefined || typeof content === "string") return;
    this.toolEnds({ toolCallId, result: { content }, isError: isError ?? false });
  }

  #call(id: string, name: string, args: unknown): void {
    this.#tools.set(id, { output: new ToolOutput(), startedAt: performance.now() });
    this.#out.frame({ type: "tool_call", id, name, args });
  }

  /** A compaction was a call too. Only pi ≥ 1 says what it used; of the others it is known that it was something. */
  compacted(usage: PiMessage["usage"]): void {
    const told = toUsage(usage);
    this.#spent(told ?? { ...noUsage, unpriced: 1 }, usage, {
      purpose: "compaction",
      ...(told === null ? { incomplete: true } : {}),
    });
  }

  #tellUsage(message: PiMessage): void {
    const { provider, model, usage } = message;
    const call = toUsage(usage);
    if (call === null) return;
    const whose = { ...(provider ? { provider } : {}), ...(model ? { model } : {}) };
    this.#spent(call, usage, { ...whose, call: piCallKey(message) });
  }

  #spent(call: Usage, usage: PiMessage["usage"], known: Partial<UsageEvent>): void {
    this.#used = addUsage(this.#used, call);
    const thinking = usage?.reasoning ?? usage?.reasoningTokens ?? 0;
    this.#out.frame({
      ...known,
      type: "usage",
      ...call,
      ...(thinking > 0 ? { thinking } : {}),
      cumulative: this.#used,
    });
  }
}
