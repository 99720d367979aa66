// Maps addresses to providers and formats. Base URLs with and without a version are accepted, because people and libraries use both.
import type { Provider } from "./call.ts";
import type { Format } from "./format.ts";
import { anthropic } from "./formats/anthropic.ts";
import { chatCompletions } from "./formats/chat-completions.ts";
import { google } from "./formats/google.ts";
import { openaiResponses } from "./formats/openai-responses.ts";

export type Route =
  | { kind: "call"; provider: Provider; format: Format; model?: string }
  | { kind: "models"; provider: Provider }
  | { kind: "tags" };

const chat: ReadonlyMap<string, [Provider, Format]> = new Map([
  ["openai", ["openai", chatCompletions("openai")]],
  ["deepseek", ["deepseek", chatCompletions("deepseek")]],
  ["compatible", ["compatible", chatCompletions("compatible")]],
  ["ollama", ["ollama", chatCompletions("compatible")]],
]);

export function findRoute(method: string, path: string): Route | null {
  const [, name = "", rest = ""] = /^\/([a-z]+)((?:\/+v1(?:beta)?)*\/.*)$/.exec(path) ?? [];
  const call = rest.replace(/^(?:\/+v1(?:beta)?)*\/+/, "");
  if (method === "GET") return findListing(name, call);
  if (method !== "POST") return null;
  if (name === "anthropic" && call === "messages") return { kind: "call", provider: name, format: anthropic };
  if (name === "openai" && call === "responses")
    return { kind: "call", provider: name, format: openaiResponses };
  const gemini = /^models\/([^/]+):streamGenerateContent$/.exec(call)?.[1];
  if (name === "google" && gemini !== undefined)
    return { kind: "call", provider: name, format: google, model: decodeURIComponent(gemini) };
  const found = call === "chat/completions" ? chat.get(name) : undefined;
  return found === undefined ? null : { kind: "call", provider: found[0], format: found[1] };
}

function findListing(name: string, call: string): Route | null {
  if (name === "ollama" && call === "api/tags") return { kind: "tags" };
  const provider = chat.get(name)?.[0] ?? (name === "anthropic" || name === "google" ? name : null);
  return call === "models" && provider !== null ? { kind: "models", provider } : null;
}
