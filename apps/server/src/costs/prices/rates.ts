// Computes the cost of a call from rates. Rates are dollars per million tokens, which is micro-dollars per token: one
// multiplication per kind of token, and one rounding per call.
import * as z from "zod/mini";

const Rate = z.number().check(z.nonnegative(), z.maximum(1_000_000));

const Flat = z.object({
  input: Rate,
  output: Rate,
  /** Tokens read from or written to a cache. Absent: the price of input. */
  cache_read: z.optional(Rate),
  cache_write: z.optional(Rate),
});

/** If the whole input exceeds thresholds, the rates of the highest such tier apply to the whole call. */
const Tier = z.extend(Flat, { above: z.number().check(z.nonnegative()) });

export const Rates = z.extend(Flat, { tiers: z.optional(z.array(Tier)) });
export type Rates = z.infer<typeof Rates>;

export interface Tokens {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
}

export function costMicros(rates: Rates, { input, output, cache_read, cache_write }: Tokens): number {
  const sent = input + cache_read + cache_write;
  const tiers = (rates.tiers ?? []).filter(({ above }) => sent > above).sort((a, b) => b.above - a.above);
  const rate = tiers[0] ?? rates;
  return Math.round(
    input * rate.input +
      output * rate.output +
      cache_read * (rate.cache_read ?? rate.input) +
      cache_write * (rate.cache_write ?? rate.input),
  );
}
