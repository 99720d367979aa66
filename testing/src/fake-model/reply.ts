// The reply that a test scripts for one model call, and the fully specified reply made from it.
// Usage is counted as zot counts: `input` excludes what was read from or written to the cache.
import type { ModelCall } from "./call.ts";

export interface Tokens {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
}

export interface ScriptedToolCall {
  id?: string;
  name: string;
  args: unknown;
  /** Sent unchanged instead of `args`: for arguments that are not JSON. (Not possible with Gemini.) */
  rawArgs?: string;
  /** In how many pieces the arguments are streamed. Absent: 2. */
  chunks?: number;
}

export interface Reply {
  /** A string is streamed word by word; an array in exactly its pieces. */
  text?: string | string[];
  thinking?: string | string[];
  toolCalls?: ScriptedToolCall[];
  /** Absent figures are estimated from the lengths: 1 token per 4 characters. */
  usage?: Partial<Tokens>;
  stop?: "end" | "tool_use" | "length";
  /** Any status but 200 is an error response without a stream, with `body` or the provider's usual one. */
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  /** Where the reply waits until `release()`. */
  hangBefore?: "headers" | "first-chunk" | "end";
  /** Waits after this many deltas (or before the end, if there are fewer). */
  hangAfterChunks?: number;
  /** Destroys the socket after this many deltas. */
  cutAfterChunks?: number;
  /** The same at a byte of the stream, in the middle of an event: 0 is before the first, 1 after the last. */
  hangAt?: number;
  cutAt?: number;
  /** After this many deltas the provider reports, in its own way, that it is overloaded. */
  errorAfterChunks?: number;
  /** In place of the ending comes an event whose data is not JSON. */
  malformed?: boolean;
  /** Between deltas. */
  delayMs?: number;
}

export type ReplyMaker = (call: ModelCall) => Reply;

export interface ToolCall {
  id: string;
  name: string;
  args: unknown;
  argsChunks: string[];
}

export interface Answer {
  model: string;
  /** Unique per call, for the ids of providers. */
  serial: number;
  thinking: string[];
  text: string[];
  toolCalls: ToolCall[];
  usage: Tokens;
  stop: "end" | "tool_use" | "length";
}

export function answerOf(reply: Reply, call: ModelCall): Answer {
  const text = chunksOf(reply.text);
  const thinking = chunksOf(reply.thinking);
  const toolCalls = (reply.toolCalls ?? []).map((tool, index) => toolCall(tool, call.serial, index));
  const output = [...thinking, ...text, ...toolCalls.flatMap((tool) => tool.argsChunks)].join("");
  return {
    model: call.model,
    serial: call.serial,
    thinking,
    text,
    toolCalls,
    usage: {
      input: reply.usage?.input ?? tokensIn(call.bodyLength),
      output: reply.usage?.output ?? tokensIn(output.length),
      cache_read: reply.usage?.cache_read ?? 0,
      cache_write: reply.usage?.cache_write ?? 0,
    },
    stop: reply.stop ?? (toolCalls.length > 0 ? "tool_use" : "end"),
  };
}

const tokensIn = (characters: number): number => Math.ceil(characters / 4);

function chunksOf(text: string | string[] | undefined): string[] {
  if (text === undefined || text === "") return [];
  return typeof text === "string" ? (text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? []) : text;
}

function toolCall(tool: ScriptedToolCall, serial: number, index: number): ToolCall {
  const json = tool.rawArgs ?? JSON.stringify(tool.args ?? {});
  return {
    id: tool.id ?? `call_${String(serial).padStart(4, "0")}_${index}`,
    name: tool.name,
    args: tool.args ?? {},
    argsChunks: inPieces(json, tool.chunks ?? 2),
  };
}

/** By code points, so that no piece ends inside a surrogate pair. */
function inPieces(text: string, count: number): string[] {
  const points = Array.from(text);
  const size = Math.max(1, Math.ceil(points.length / Math.max(1, count)));
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += size) pieces.push(points.slice(at, at + size).join(""));
  return pieces;
}
