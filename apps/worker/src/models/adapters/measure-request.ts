// Measures a request before its provider counts it: for calls that are cut before the provider tells how much it received.
import { bytesPerToken, type ContentBlock, mostBytesPerToken, type SentTokens } from "@patchbay/protocol";
import type { ModelCall } from "./adapter.ts";

/** Providers charge an image by its area: the least, a usual one, and the most. */
const imageTokens = { low: 50, estimate: 1_200, high: 6_000 };
/** What providers add around messages and tools. */
const framing = 2_000;

interface RequestSize {
  readonly bytes: number;
  readonly images: number;
}

export function measureRequest({ system, tools, messages }: ModelCall): RequestSize {
  let bytes = Buffer.byteLength(system);
  let images = 0;
  const add = (block: ContentBlock): void => {
    if (block.type === "image") images++;
    else if (block.type === "tool_result") for (const part of block.content) add(part);
    else bytes += Buffer.byteLength(block.type === "tool_call" ? json(block.args) : block.text);
  };
  for (const { name, description, parameters } of tools)
    bytes += Buffer.byteLength(`${name}${description}${json(parameters)}`);
  for (const { content } of messages) for (const block of content) add(block);
  return { bytes, images };
}

/** `tokensPerByte`: of the last call of this conversation that its provider counted. */
export function sentTokens(
  { bytes, images }: RequestSize,
  contextWindow: number,
  tokensPerByte = 1 / bytesPerToken,
): SentTokens {
  // A token has at least one byte, and no request is longer than the window.
  const high = bytes + images * imageTokens.high + framing;
  return {
    low: Math.floor(bytes / mostBytesPerToken) + images * imageTokens.low,
    estimate: Math.round(bytes * tokensPerByte) + images * imageTokens.estimate,
    high:
      contextWindow > 0 ? Math.max(Math.min(high, contextWindow), Math.ceil(bytes * tokensPerByte)) : high,
  };
}

const json = (value: unknown): string => JSON.stringify(value) ?? "";
