// What the worker remembers: the transcript, the model in use, and what was spent.
// It loads with the entry, so it knows nothing of models' libraries or tools.
import { addUsage, type ContentBlock, type Message, noUsage, type Usage } from "@patchbay/protocol";
import type { Config } from "../config.ts";
import type { Flags } from "../flags.ts";
import type { Model } from "../models/catalog.ts";

export class Conversation {
  readonly flags: Flags;
  /** Where it works; a worker that was started ahead learns it later. */
  cwd: string;
  readonly config: Config;
  model: Model;
  messages: Message[] = [];
  #usage: Usage = noUsage;

  constructor(flags: Flags, config: Config, model: Model) {
    this.flags = flags;
    this.cwd = flags.cwd;
    this.config = config;
    this.model = model;
  }

  /** What this process spent; clearing the transcript does not give the money back. */
  get usage(): Usage {
    return this.#usage;
  }

  spend(call: Usage): void {
    this.#usage = addUsage(this.#usage, call);
  }

  add(role: Message["role"], content: ContentBlock[]): Message {
    const message: Message = { role, content, time: new Date().toISOString() };
    this.messages.push(message);
    return message;
  }
}

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
