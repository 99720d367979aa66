// Converts a conversation from another program to frames: prompts, answers with their costs, tool results, a person's shell
// commands, compactions. What our protocol cannot represent is left out and counted.
import { randomUUID } from "node:crypto";
import {
  type ForeignEntry,
  type Frame,
  foreignMessage,
  type Message,
  readFrameValue,
  type StopReason,
} from "@patchbay/protocol";
import type { RecordedCall } from "./formats/recorded-call.ts";

const stops: Readonly<Record<string, StopReason>> = {
  stop: "end",
  toolUse: "tool_use",
  length: "length",
  error: "error",
  aborted: "aborted",
};

/** A frame, or a call at its place among the frames: the machine knows no prices. */
export type ConversationItem = { frame: object } | { call: RecordedCall };

export class ConversationFrames {
  /** Whether prompts get an id. The built-in agent can go back to a prompt by it. */
  readonly #entryIds: boolean;
  #items: ConversationItem[] = [];
  #inTurn = false;
  #step = 0;
  #stop: StopReason = "end";
  /** Tool results came after the last answer: together they are one message of ours. */
  #results = false;
  /** How many messages the transcript will have. */
  messages = 0;
  unreadable = 0;

  constructor(options: { entryIds: boolean }) {
    this.#entryIds = options.entryIds;
  }

  /** Returns what was added since this was last called. */
  takeItems(): ConversationItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  addEntry(entry: ForeignEntry, call: RecordedCall | undefined): void {
    if (entry.message.role === "bashExecution") return this.#bash(entry);
    const message = foreignMessage(entry);
    if (message === null && entry.message.role !== "assistant") return;
    if (entry.message.role === "user") this.#prompt(message);
    else if (entry.message.role === "assistant") this.#answer(entry, message, call);
    else {
      if (call !== undefined) this.addCall(call); // a tool that asked a model
      this.#tool(message);
    }
  }

  /** Adds a call that belongs to no answer of the conversation, or whose figures follow its answer. */
  addCall(call: RecordedCall): void {
    this.#items.push({ call });
  }

  addCompaction(summary: string, kept: number): void {
    this.end();
    this.#frame({ type: "compact_done", summary, kept: Math.min(kept, this.messages) });
  }

  addCleared(time: string): void {
    this.end();
    this.#frame({ type: "cleared", time });
    this.messages = 0;
  }

  /** Adds a text that the program shows between messages. */
  addNote(source: string, text: string): void {
    this.#frame({ type: "ext_display", extension: source, text });
  }

  end(): void {
    if (!this.#inTurn) return;
    this.#frame({ type: "done" });
    this.#inTurn = false;
    this.#step = 0;
  }

  #prompt(message: Message | null): void {
    if (message === null) return;
    // A prompt while tools ran joined the running turn.
    const steering = this.#inTurn && this.#stop === "tool_use" && this.#results;
    if (!steering) this.end();
    const { content, time } = message;
    const entry_id = randomUUID().slice(0, 8);
    this.#frame({
      type: "user_message",
      content,
      time,
      ...(steering ? { steering } : {}),
      ...(this.#entryIds ? { entry_id } : {}),
    });
    this.#inTurn = true;
    this.messages++;
  }

  #answer({ message: foreign }: ForeignEntry, message: Message | null, call: RecordedCall | undefined): void {
    const calls = message?.content.some(({ type }) => type === "tool_call") === true;
    this.#stop = stops[foreign.stopReason ?? ""] ?? (calls ? "tool_use" : "end");
    this.#results = false;
    this.#inTurn = true;
    this.#frame({ type: "turn_start", step: ++this.#step });
    if (call !== undefined) this.addCall(call);
    if (message !== null) {
      this.#frame({ type: "assistant_message", content: message.content, time: message.time });
      this.messages++;
    }
    const error = this.#stop === "error" ? { error: foreign.errorMessage ?? "The model call failed." } : {};
    this.#frame({ type: "turn_end", stop: this.#stop, ...error });
  }

  #tool(message: Message | null): void {
    for (const block of message?.content ?? []) {
      if (block.type !== "tool_result") continue;
      const { call_id: id, is_error, content } = block;
      this.#frame({ type: "tool_result", id, is_error, content });
      if (!this.#results) this.messages++;
      this.#results = true;
    }
  }

  #bash({ message, timestamp }: ForeignEntry): void {
    this.end();
    const { command = "", output = "", exitCode = null, cancelled = false, truncated = false } = message;
    const time = message.time ?? timestamp ?? "";
    const end = { command, output, exit_code: exitCode, cancelled, truncated, time };
    this.#frame({ type: "bash_end", id: randomUUID().slice(0, 8), ...end });
    this.messages++;
  }

  #frame(frame: { type: Frame["type"] } & Record<string, unknown>): void {
    if (readFrameValue(frame).kind === "frame") this.#items.push({ frame });
    else this.unreadable++;
  }
}
