// A provider's failure in one readable line: `anthropic: http 401: invalid x-api-key`.
// Providers wrap their sentence in JSON, sometimes twice, and some repeat the key in it.
import type { ModelCall } from "./adapter.ts";

/** An error page of a proxy can be long; a person does not read more than this. */
const maxChars = 1_000;

export function describeFailure(call: Pick<ModelCall, "model">, raw: string): string {
  const { provider, access } = call.model;
  const status = /^(?:Error: )?(?:[\w ]+\()?(\d{3})\b/.exec(raw)?.[1] ?? /"code":\s*(\d{3})\b/.exec(raw)?.[1];
  const message = innermost(raw) ?? plain(raw);
  const sentence = `${provider}: ${status === undefined ? "" : `http ${status}: `}${message}`;
  const safe = access.apiKey.length >= 8 ? sentence.replaceAll(access.apiKey, "***") : sentence;
  return safe.length > maxChars ? `${safe.slice(0, maxChars)}…` : safe;
}

function plain(raw: string): string {
  const text = raw
    .replace(/^(?:\w*Error: )+/, "")
    .replace(/^\d{3}:? /, "")
    .trim();
  if (/^Connection error\.?$|fetch failed/i.test(text)) return "cannot be reached";
  return text === "" ? "failed without a reason" : text;
}

/** The `message` deepest inside the JSON that the text holds. */
function innermost(raw: string): string | undefined {
  const start = raw.indexOf("{");
  if (start === -1) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(raw.slice(start, raw.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
  const message = messageIn(value);
  return message === undefined ? undefined : (innermost(message) ?? message);
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  if ("error" in value) return messageIn(value.error);
  return "message" in value && typeof value.message === "string" ? value.message : undefined;
}
