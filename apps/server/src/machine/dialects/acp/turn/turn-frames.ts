// Emits the frames of one turn. ACP does not mark where one model call ends and the next begins: a step ends when its
// tool calls are over and the agent sends text again.
import type { ContentBlock } from "@patchbay/protocol";
import type { OutputFrame } from "../../frame-writer.ts";
import { type AnswerText, ResentText } from "./resent-text.ts";
import { AcpToolCall, type ToolCallUpdate } from "./tool-call.ts";

interface TurnFramesOptions {
  emit(...frames: OutputFrame[]): void;
  /** Returns what a terminal has written so far. */
  terminal(id: string): string;
  /** The agent puts the output of its tools in Markdown. */
  wrapsOutput?: boolean;
}

export class TurnFrames {
  readonly #options: TurnFramesOptions;
  readonly #startedAt = performance.now();
  #step = 0;
  #content: ContentBlock[] = [];
  readonly #calls = new Map<string, AcpToolCall>();
  #stepCalls: AcpToolCall[] = [];
  /** Messages that joined the turn: they are shown after what the agent was doing then. */
  #steered: OutputFrame[] = [];
  readonly #resent = new ResentText();
  #isOver = false;

  constructor(options: TurnFramesOptions, content: readonly ContentBlock[]) {
    this.#options = options;
    options.emit({ type: "user_message", content, time: now() });
    this.#beginStep();
  }

  text(type: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    if (this.#stepCalls.length > 0 && this.#stepCalls.every((call) => call.isOver || call.isRefused)) {
      for (const call of this.#stepCalls) if (!call.isOver) this.#finishCall(call, true);
      this.#nextStep();
    }
    this.#show(this.#resent.take({ type, text: delta }));
  }

  #show(streamed: readonly AnswerText[]): void {
    for (const { type, text } of streamed) {
      const last = this.#content.at(-1);
      if (last?.type === type) last.text += text;
      else this.#content.push({ type, text });
      this.#options.emit({ type: type === "text" ? "text_delta" : "thinking_delta", delta: text });
    }
  }

  /** A person's message has joined the turn. */
  steered(content: readonly ContentBlock[], key: string | undefined): void {
    const keyed = key === undefined ? {} : { key };
    this.#steered.push({ type: "user_message", content, time: now(), steering: true, ...keyed });
    this.#show(this.#resent.flush());
    if (this.#isOver) this.#showSteered();
    else if (this.#stepCalls.every((call) => call.isOver)) this.#nextStep();
  }

  #showSteered(): void {
    const steered = this.#steered;
    this.#steered = [];
    if (steered.length > 0) this.#options.emit(...steered);
  }

  #nextStep(): void {
    this.#endStep("tool_use");
    this.#showSteered();
    this.#beginStep();
  }

  tool(update: ToolCallUpdate): void {
    const known = this.#calls.get(update.toolCallId);
    if (known?.isOver) return;
    this.#show(this.#resent.flush());
    this.#resent.reset();
    const call = known ?? this.#newCall(update);
    call.update(update);
    if (call.isReady) this.#announce(call);
    if (call.hasEnded) return this.#finishCall(call, call.failed);
    this.#showProgress(call);
  }

  /** Emits progress of the tool calls that show this terminal. */
  terminalOutput(id: string): void {
    for (const call of this.#stepCalls) if (!call.isOver && call.shows(id)) this.#showProgress(call);
  }

  #showProgress(call: AcpToolCall): void {
    const text = call.progress(this.#options.terminal);
    if (text !== "") this.#options.emit({ type: "tool_progress", id: call.id, text });
  }

  /** Undefined: the agent has sent no update about this call. */
  call(id: string): AcpToolCall | undefined {
    return this.#calls.get(id);
  }

  /** How many model calls the updates show. */
  get steps(): number {
    return this.#stepCalls.length > 0 && this.#stepCalls.every(({ isOver }) => isOver)
      ? this.#step + 1 // the model got the results and has written nothing
      : this.#step;
  }

  /** Its model has called tools. */
  get hasTools(): boolean {
    return this.#calls.size > 0;
  }

  /** How many model calls have shown something. */
  get shownSteps(): number {
    return this.#content.length === 0 ? this.#step - 1 : this.#step;
  }

  /** The agent has sent nothing of an answer. */
  get isEmpty(): boolean {
    return this.#step === 1 && this.#content.length === 0;
  }

  end(stop: "end" | "aborted" | "error" | "length", usage: readonly OutputFrame[], error?: string): void {
    this.#show(this.#resent.flush());
    for (const call of this.#stepCalls) if (!call.isOver) this.#finishCall(call, true);
    if (usage.length > 0) this.#options.emit(...usage);
    this.#endStep(stop, error);
    this.#isOver = true;
    this.#showSteered();
    if (error !== undefined) this.#options.emit({ type: "error", message: error });
    this.#options.emit({ type: "done", duration_ms: Math.round(performance.now() - this.#startedAt) });
  }

  #newCall(update: ToolCallUpdate): AcpToolCall {
    const call = new AcpToolCall(update, this.#options.wrapsOutput);
    this.#calls.set(call.id, call);
    this.#stepCalls.push(call);
    this.#content.push({ type: "tool_call", id: call.id, name: call.name, args: call.args });
    if (!call.isReady) this.#options.emit({ type: "tool_use_start", id: call.id, name: call.name });
    return call;
  }

  #announce(call: AcpToolCall): void {
    if (call.isAnnounced) return;
    call.isAnnounced = true;
    const { id, name, args } = call;
    this.#content = this.#content.map((block) =>
      block.type === "tool_call" && block.id === id ? { type: "tool_call", id, name, args } : block,
    );
    this.#options.emit({ type: "tool_call", id, name, args });
  }

  #finishCall(call: AcpToolCall, isError: boolean): void {
    this.#announce(call);
    call.isOver = true;
    this.#options.emit({
      type: "tool_result",
      id: call.id,
      is_error: isError,
      content: call.result(this.#options.terminal),
      duration_ms: call.durationMs,
      details: call.details,
    });
  }

  #beginStep(): void {
    this.#step++;
    this.#resent.reset();
    this.#content = [];
    this.#stepCalls = [];
    this.#options.emit({ type: "turn_start", step: this.#step }, { type: "assistant_start" });
  }

  #endStep(stop: string, error?: string): void {
    const message = { type: "assistant_message", content: this.#content, time: now() };
    const end = { type: "turn_end", stop, ...(error === undefined ? {} : { error }) };
    // The streamed deltas stay in the transcript without the message, unless the turn was broken off.
    const isKnown = stop !== "aborted" && stop !== "error" && lengthOf(this.#content) >= maxRepeated;
    this.#options.emit(...(this.#content.length === 0 || isKnown ? [] : [message]), end);
  }
}

/** A longer answer is not repeated as a message after it was streamed. */
const maxRepeated = 64 * 1024;

const lengthOf = (content: readonly ContentBlock[]): number =>
  content.reduce(
    (sum, block) => sum + (block.type === "text" || block.type === "thinking" ? block.text.length : 0),
    0,
  );

const now = (): string => new Date().toISOString();
