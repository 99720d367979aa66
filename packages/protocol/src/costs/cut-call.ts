// Estimates what a model call used that was cut before its provider had counted it: by the provider's own count so far, and by
// what was sent and streamed. What a provider bills for such a call is told to nobody, so the estimate has bounds.
import * as z from "zod/mini";

/** A hundred times what the largest models take today. */
const Count = z.number().check(z.nonnegative(), z.maximum(1_000_000_000));

export const TokenCounts = z.object({ input: Count, output: Count, cache_read: Count, cache_write: Count });
export type TokenCounts = z.infer<typeof TokenCounts>;

/** What a call used at least and at most. */
export const TokenBounds = z.object({ low: TokenCounts, high: TokenCounts });
export type TokenBounds = z.infer<typeof TokenBounds>;

/** How many tokens a request has, before its provider counts them. */
export const SentTokens = z.object({ low: Count, estimate: Count, high: Count });
export type SentTokens = z.infer<typeof SentTokens>;

interface CutCall {
  /** Absent: the request is not known. */
  sent?: SentTokens | undefined;
  /** The most that the model may write. Absent or 0: not known. */
  maxOutput?: number | undefined;
  /** What the provider had counted. */
  soFar?: TokenCounts | undefined;
  /** The text, thinking and arguments that were streamed. */
  streamedBytes: number;
}

interface EstimatedCall {
  tokens: TokenCounts;
  bounds: TokenBounds;
}

/** Tokens of English and of code have about four bytes, of other languages fewer. */
export const bytesPerToken = 4;
/** More than text has; only long runs of the same sign do. */
export const mostBytesPerToken = 12;
/** More than any model writes or reads today, for calls whose limits are not known. */
const mostOutput = 400_000;
const mostInput = 2_000_000;

export const noTokens: TokenCounts = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

export function estimateCut({ sent, maxOutput = 0, soFar, streamedBytes }: CutCall): EstimatedCall {
  const counted = soFar?.output ?? 0;
  const output = Math.max(counted, Math.round(streamedBytes / bytesPerToken));
  const low = Math.max(counted, Math.floor(streamedBytes / mostBytesPerToken));
  const high = Math.max(output, maxOutput > 0 ? maxOutput : mostOutput);
  const request = requestBounds(sent, soFar);
  return {
    tokens: { ...request.tokens, output },
    bounds: { low: { ...request.low, output: low }, high: { ...request.high, output: high } },
  };
}

function requestBounds(sent: SentTokens | undefined, soFar: TokenCounts | undefined) {
  const { input, cache_read, cache_write } = soFar ?? noTokens;
  if (input + cache_read + cache_write > 0) {
    const counted = { input, cache_read, cache_write };
    return { tokens: counted, low: counted, high: counted };
  }
  const { low, estimate, high } = sent ?? { low: 0, estimate: 0, high: mostInput };
  // Reading from a cache is the cheapest kind of input, and writing to it the most expensive.
  const nothing = { input: 0, cache_read: 0, cache_write: 0 };
  return {
    tokens: { ...nothing, input: estimate },
    low: { ...nothing, cache_read: low },
    high: { ...nothing, cache_write: high },
  };
}
