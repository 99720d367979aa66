// Emits the frames of a turn from pi's messages and tool events. A step of ours is one model call: it ends with the answer,
// before the tools run, while pi's `turn_end` comes after them.
import {
  addUsage,
  type ContentBlock,
  noUsage,
  type StopReason,
  type Usage,
  type UsageEvent,
} from "@patchbay/protocol";
import type * as z from "zod/mini";
import type { TypedFrameWriter } from "../../frame-writer.ts";
import type { Branches } from "../conversation/branches.ts";
import { textOf, toResult, toTime, toUsage } from "../wire/blocks.ts";
import { piCallKey } from "../wire/call-key.ts";
import type { FoundDelta } from "../wire/find-delta.ts";
import { CallBlock, type CallStart, type PiMessage, type ToolEnd, type ToolUpdate } from "../wire/schemas.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import { PiToolOutput } from "./tool-output.ts";

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
  output: PiToolOutput;
  startedAt: number;
}

export class PiTurnFrames {
  readonly #out: TypedFrameWriter;
  readonly #branches: Branches;
  #step = 0;
  #answer: StreamedAnswer | null = null;
  /** Tool calls without a result yet. omp may send an update after the result; it is ignored. */
  readonly #tools = new Map<string, Tool>();
  /** The usage of this worker since it started. */
  #used: Usage = noUsage;

  constructor(out: TypedFrameWriter, branches: Branches) {
    this.#out = out;
    this.#branches = branches;
  }

  get used(): Usage {
    return this.#used;
  }

  userMessage(content: ContentBlock[], time: string, known: { key?: string; steering?: boolean }): void {
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
    const entry_id = this.#branches.addPrompt(text);
    this.#out.frame({ type: "user_message", content, time, entry_id, ...known });
  }

  /** Called at the end of a turn: steps are counted from 1 again. */
  reset(): void {
    this.#step = 0;
    this.#answer = null;
    this.#tools.clear();
  }

  answerStarts(): StreamedAnswer {
    this.#out.frame({ type: "turn_start", step: ++this.#step });
    this.#out.frame({ type: "assistant_start" });
    this.#answer = new StreamedAnswer();
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
    if (id === undefined) return; // the program sent no start of this call; the final message will have it
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

  /** Returns the error if the call failed. `aborting`: a person has stopped the turn, so that a failure is an abort. */
  answerEnds(message: PiMessage, aborting: boolean): string | undefined {
    const answer = this.#answer ?? this.answerStarts();
    this.#answer = null;
    const reported = stops.get(message.stopReason ?? "stop") ?? "end";
    const stop = reported === "error" && aborting ? "aborted" : reported;
    const broken = stop === "error" || stop === "aborted";
    // A tool call that was cut off never runs.
    const content = answer.complete(message.content).filter(({ type }) => !broken || type !== "tool_call");
    for (const id of answer.calls) this.#out.frame({ type: "tool_use_end", id });
    this.#emitUsage(message, stop, answer.isEmpty);
    if (content.length > 0 && (broken || !answer.wasStreamed(content)))
      this.#out.frame({ type: "assistant_message", content, time: toTime(message.timestamp) });
    for (const block of content)
      if (block.type === "tool_call") this.#startTool(block.id, block.name, block.args);
    const error = stop === "error" ? (message.errorMessage ?? "The model call failed.") : undefined;
    // The error is emitted at the end of the turn: until then the program may retry.
    this.#out.frame({ type: "turn_end", stop });
    return error;
  }

  toolStarts(id: string, name: string, args: unknown): void {
    const tool = this.#tools.get(id);
    if (tool === undefined) this.#startTool(id, name, args);
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

  /** The result as a message. It is needed only when the tool's end was not reported. */
  resultMessage({ toolCallId, content, isError }: PiMessage): void {
    if (toolCallId === undefined || typeof content === "string") return;
    this.toolEnds({ toolCallId, result: { content }, isError: isError ?? false });
  }

  #startTool(id: string, name: string, args: unknown): void {
    this.#tools.set(id, { output: new PiToolOutput(), startedAt: performance.now() });
    this.#out.frame({ type: "tool_call", id, name, args });
  }

  /** A compaction is a model call too. Only pi ≥ 1 reports its usage; for the others it is unpriced. */
  compacted(usage: PiMessage["usage"]): void {
    const reported = toUsage(usage);
    this.#addUsage(reported ?? { ...noUsage, unpriced: 1 }, usage, {
      purpose: "compaction",
      ...(reported === null ? { incomplete: true } : {}),
    });
  }

  /** `isEmpty`: nothing was streamed. */
  #emitUsage(message: PiMessage, stop: StopReason, isEmpty: boolean): void {
    const { provider, model, usage } = message;
    const call = toUsage(usage);
    const whose = { ...(provider ? { provider } : {}), ...(model ? { model } : {}) };
    if (call !== null) this.#addUsage(call, usage, { ...whose, call: piCallKey(message) });
    // pi writes zeros for streams that were cut before their end, for servers that report no usage, and for refused calls.
    else if (!isEmpty) this.#addUsage({ ...noUsage, unpriced: 1 }, usage, { ...whose, ended: "cut" });
    else if (stop === "aborted") this.#addUsage(noUsage, usage, { ...whose, ended: "unanswered" });
  }

  #addUsage(call: Usage, usage: PiMessage["usage"], known: Partial<UsageEvent>): void {
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
