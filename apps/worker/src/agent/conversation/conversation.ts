// The state of the conversation: what the model sees, the transcript with all its branches, the model in use, and
// what was spent. It loads at the start, so it imports no library of a provider and no tools.
import { randomBytes, randomUUID } from "node:crypto";
import {
  addUsage,
  type ContentBlock,
  contextMessages,
  contextTokens,
  emptyTranscript,
  foldTranscript,
  type Message,
  mostBytesPerToken,
  noUsage,
  type Transcript,
  type Usage,
  type WorkerEvent,
} from "@patchbay/protocol";
import type { Model } from "../../models/catalog.ts";

export class Conversation {
  /** Of this process; the server has an id of its own for a session that outlives it. */
  readonly id = randomUUID();
  /** The working directory; `begin` sets it in a worker that was started ahead. */
  cwd: string;
  model: Model;
  /** The fold of the frames this worker wrote, which is what the server folds, too. */
  transcript: Transcript = emptyTranscript;
  /** The name that a person gave the session. */
  name: string | undefined;
  /** A summary of it is being written. */
  compacting = false;
  #messages: Message[] = [];
  #usage: Usage = noUsage;
  #contextTokens: number | null = null;
  #compactedLength = 0;
  #tokensPerByte: number | undefined;

  constructor(cwd: string, model: Model) {
    this.cwd = cwd;
    this.model = model;
  }

  /** What the model sees; after a compaction less than the transcript. */
  get messages(): Message[] {
    return this.#messages;
  }

  /** Another transcript: the size of its context is unknown until the next call. */
  set messages(messages: Message[]) {
    this.#messages = messages;
    this.#contextTokens = null;
    this.#compactedLength = 0;
  }

  /** The same conversation, made shorter. */
  compact(messages: Message[]): void {
    this.messages = messages;
    this.#compactedLength = messages.length;
  }

  /** How many messages the last compaction left. */
  get compactedLength(): number {
    return this.#compactedLength;
  }

  /** How much of the context window is in use, as of the last answer; null: unknown. */
  get contextTokens(): number | null {
    return this.#contextTokens;
  }

  /** Takes the size of the context from an answer's usage; a call that was cut short may have none. */
  recordContextTokens(call: Usage): void {
    this.#contextTokens = contextTokens(call) || this.#contextTokens;
  }

  /** Of the last request that its provider counted; undefined: none was. */
  get tokensPerByte(): number | undefined {
    return this.#tokensPerByte;
  }

  recordRequest(size: { bytes: number; images: number }, { input, cache_read, cache_write }: Usage): void {
    const sent = input + cache_read + cache_write;
    if (sent === 0 || size.bytes === 0 || size.images > 0) return; // the share of images is not known
    this.#tokensPerByte = Math.min(1, Math.max(1 / mostBytesPerToken, sent / size.bytes));
  }

  /** What this process spent; clearing the transcript does not reset it. */
  get usage(): Usage {
    return this.#usage;
  }

  recordUsage(call: Usage): void {
    this.#usage = addUsage(this.#usage, call);
  }

  add(role: Message["role"], content: ContentBlock[]): Message {
    const entry = role === "user" ? { entry_id: newEntryId() } : {};
    const message: Message = { role, content, time: new Date().toISOString(), ...entry };
    this.#messages.push(message);
    return message;
  }

  /** A frame was written. When it switches the branch or loads messages, the model sees those from now on. */
  record(frame: WorkerEvent): void {
    const before = this.transcript;
    this.transcript = foldTranscript(before, frame);
    const { branch, messages } = this.transcript;
    if (branch !== before.branch || frame.type === "messages_loaded") {
      this.restore(this.transcript, contextMessages(this.transcript));
    } else {
      this.#messages.push(...messages.slice(before.messages.length).filter(({ bash }) => bash !== undefined));
    }
  }

  /** Back to an empty transcript; the usage stays. */
  clear(): void {
    this.restore({ ...emptyTranscript, usage: this.transcript.usage }, []);
  }

  /** Another transcript; `messages` are what the model sees of it. */
  restore(transcript: Transcript, messages: Message[]): void {
    this.transcript = transcript;
    this.messages = messages;
    this.#contextTokens = transcript.context_tokens;
  }
}

/** Unlikely to be given twice in one session, and short enough to be written in an address. */
export const newEntryId = (): string => randomBytes(6).toString("hex");

/** For dumps of the transcript: images by their size only. */
export function withoutImageData(message: Message): Message {
  return { ...message, content: message.content.map(strip) };
}

function strip(block: ContentBlock): ContentBlock {
  if (block.type === "image") return { type: "image", mime_type: block.mime_type, bytes: block.bytes };
  if (block.type !== "tool_result") return block;
  return {
    ...block,
    content: block.content.map((part) =>
      part.type === "image" ? { type: "image", mime_type: part.mime_type, bytes: part.bytes } : part,
    ),
  };
}
