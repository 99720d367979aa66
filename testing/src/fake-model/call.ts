// One call of the model as the fake server received it, parsed far enough to script a reply. Bodies stay `unknown`: tests check them
// with their own expectations.
import type { IncomingHttpHeaders } from "node:http";

export type Provider = "anthropic" | "openai" | "deepseek" | "google" | "compatible" | "ollama";

export interface ModelCall {
  provider: Provider;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  bodyLength: number;
  model: string;
  /** The first call of this server is 1. */
  serial: number;
  /** The text of the last user message. */
  userText: string;
  /** The tool results after it; empty: the user message is the last. */
  toolResults: string[];
  /** The names of the tools that the model may call. */
  tools: string[];
}

/** The conversation of a body. */
export interface Conversation {
  userText: string;
  toolResults: string[];
  tools: string[];
}

export const field = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

export const items = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text in a content that is either a string or a list of blocks with a `text`. */
export const contentText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : items(content)
        .map((block) => text(field(block, "text")))
        .join("");

/** A user's text, or the result of a tool. */
export type Entry = { user: string } | { result: string };

/** Reads entries in order. A user's text replaces the ones before, a tool's result is added. */
export function follow(entries: Iterable<Entry>): Pick<Conversation, "userText" | "toolResults"> {
  let userText = "";
  let toolResults: string[] = [];
  for (const entry of entries) {
    if ("user" in entry) {
      userText = entry.user;
      toolResults = [];
    } else {
      toolResults = [...toolResults, entry.result];
    }
  }
  return { userText, toolResults };
}
