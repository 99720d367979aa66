// Arithmetic on chunks of the log that every store needs.
import type { LogChunk } from "./store.ts";

export const lastSeq = (chunk: LogChunk): number => chunk.seq + chunk.count - 1;

/** The part of a chunk that comes after frame `after`; null when nothing does. */
export function chunkAfter(chunk: LogChunk, after: number): LogChunk | null {
  if (lastSeq(chunk) <= after) return null;
  let skip = after - chunk.seq + 1;
  if (skip <= 0) return chunk;
  const count = chunk.count - skip;
  let at = 0;
  while (skip > 0) {
    at = chunk.bytes.indexOf(10, at) + 1;
    skip--;
  }
  return { seq: after + 1, count, bytes: chunk.bytes.subarray(at) };
}
