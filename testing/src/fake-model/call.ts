// One call of the model as the fake server received it, read far enough to script an answer to it.
// Bodies stay `unknown`: they are a stranger's, and tests look at them with their own expectations.
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
  /** The words of the last message a person wrote. */
  userText: string;
  /** The results of the tools that were called since then; empty when the person spoke last. */
  toolResults: string[];
  /** The names of the tools that the model may call. */
  tools: string[];
}

/** What a body says about the conversation. */
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

/** A person's words, or what a tool answered. */
export type Entry = { user: string } | { result: string };

/** Reads entries in order: a person's words begin anew, a tool's result is added to them. */
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
