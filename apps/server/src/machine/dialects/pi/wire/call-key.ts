// The identity of a model call of pi or omp, made of the fields that their frames and their session files both have. A fork
// copies a message into another file, so neither the file nor the entry's own id is part of it.
import { createHash } from "node:crypto";
import type { PiMessage } from "./schemas.ts";

type CallFields = Pick<PiMessage, "timestamp" | "usage" | "provider" | "model" | "responseId">;

export function piCallKey({ timestamp, usage, provider, model, responseId }: CallFields): string {
  const { input, output, cacheRead, cacheWrite } = usage ?? {};
  const fields = [responseId ?? null, timestamp, provider, model, input, output, cacheRead, cacheWrite];
  return createHash("sha256")
    .update(JSON.stringify(["pi", ...fields]))
    .digest("hex")
    .slice(0, 32);
}

/**
 * The identity of the call that wrote a summary, which neither frame nor file has: the text, and the entry to which it refers (the first
 * that a compaction kept, the last of a branch that was left).
 */
export const piSummaryKey = (summary: string, entry: string): string =>
  createHash("sha256")
    .update(JSON.stringify(["pi summary", summary, entry]))
    .digest("hex")
    .slice(0, 32);
