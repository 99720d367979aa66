// What a model call consumed. Costs are added in whole nano-dollars (decision 008): adding dollars as
// floating-point numbers drifts, and micro-dollars are too coarse for a call of a few tokens.
import * as z from "zod/mini";

const Count = z.number().check(z.nonnegative());

export const Usage = z.object({
  input: Count,
  output: Count,
  cache_read: Count,
  cache_write: Count,
  cost_usd: Count,
  /** How many of the calls summed here have no known price: their cost is missing, not zero. */
  unpriced: z.optional(Count),
  /** How many of the calls summed here were cut before all of their usage was known: their cost is an estimate. */
  estimated: z.optional(Count),
  /** What the priced calls summed here cost at least and at most; present where `estimated` is. */
  low_usd: z.optional(Count),
  high_usd: z.optional(Count),
});
export type Usage = z.infer<typeof Usage>;

/** The most that one call can have used: a hundred times what the largest models take and cost today. */
const mostTokens = 1_000_000_000;
const mostDollars = 100_000;

/** Searches or images of one call. */
export const CallCount = z.number().check(z.int(), z.nonnegative(), z.maximum(1_000_000));

/** Tokens of one call. */
export const CallTokens = z.number().check(z.nonnegative(), z.maximum(mostTokens));

const tokenFields = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cache_write_1h",
  "thinking",
  "reasoning",
] as const;

const dollarFields = ["cost_usd", "low_usd", "high_usd"] as const;

/** Whether each of a call's figures, where it is a number, is one that a call can have. */
export const hasPossibleFigures = (call: Readonly<Record<string, unknown>>): boolean =>
  tokenFields.every((name) => isAtMost(call[name], mostTokens)) &&
  dollarFields.every((name) => isAtMost(call[name], mostDollars));

const isAtMost = (value: unknown, most: number): boolean => typeof value !== "number" || !(value > most); // what is no number at all is for the schema to say

/**
 * A call's usage as it is, or without figures where one of them is impossible: a sum that held it could not be stored any
 * more. Such a call was made, and what it cost is not known.
 */
export function withPossibleFigures(
  call: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (hasPossibleFigures(call)) return call;
  const {
    thinking: _thinking,
    reasoning: _reasoning,
    cumulative: _cumulative,
    estimated: _estimated,
    low_usd: _low,
    high_usd: _high,
    bounds: _bounds,
    ...rest
  } = call;
  return { ...rest, ...noUsage, unpriced: 1, incomplete: true };
}

export const noUsage: Usage = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };

export const toNanoDollars = (dollars: number): number => Math.round(dollars * 1e9);

export function addUsage(a: Usage, b: Usage): Usage {
  const unpriced = (a.unpriced ?? 0) + (b.unpriced ?? 0);
  const sum: Usage = {
    input: a.input + b.input,
    output: a.output + b.output,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
    cost_usd: (toNanoDollars(a.cost_usd) + toNanoDollars(b.cost_usd)) / 1e9,
  };
  if (unpriced > 0) sum.unpriced = unpriced;
  if (a.estimated === undefined && b.estimated === undefined) return sum;
  return withUncertainty(sum, addUncertainty(uncertaintyOf(a), uncertaintyOf(b)));
}

/** How uncertain a sum is: how many of its calls are estimated, and by how much they may have cost less or more. */
export interface Uncertainty {
  estimated: number;
  below_nanos: number;
  above_nanos: number;
}

export function uncertaintyOf({
  cost_usd,
  estimated = 0,
  low_usd = cost_usd,
  high_usd = cost_usd,
}: Pick<Usage, "cost_usd" | "estimated" | "low_usd" | "high_usd">): Uncertainty {
  const nanos = toNanoDollars(cost_usd);
  return {
    estimated,
    below_nanos: Math.max(0, nanos - toNanoDollars(low_usd)),
    above_nanos: Math.max(0, toNanoDollars(high_usd) - nanos),
  };
}

/** The usage with its bounds; an exact one has none. */
export function withUncertainty(usage: Usage, uncertainty: Uncertainty): Usage {
  const { estimated: _estimated, low_usd: _low, high_usd: _high, ...exact } = usage;
  if (uncertainty.estimated <= 0) return exact;
  const nanos = toNanoDollars(usage.cost_usd);
  return {
    ...exact,
    estimated: uncertainty.estimated,
    low_usd: Math.max(0, nanos - uncertainty.below_nanos) / 1e9,
    high_usd: (nanos + Math.max(0, uncertainty.above_nanos)) / 1e9,
  };
}

const addUncertainty = (a: Uncertainty, b: Partial<Uncertainty>): Uncertainty => ({
  estimated: a.estimated + (b.estimated ?? 0),
  below_nanos: a.below_nanos + (b.below_nanos ?? 0),
  above_nanos: a.above_nanos + (b.above_nanos ?? 0),
});

/** A change of what calls cost: so many nano-dollars more, so many more unpriced, and how much less or more certain. */
export interface CostChange extends Partial<Uncertainty> {
  cost_nanos: number;
  unpriced: number;
}

/** Calls summed here cost something else than was known. */
export function changePrice({ unpriced = 0, ...usage }: Usage, change: CostChange): Usage {
  const left = Math.max(0, unpriced + change.unpriced);
  const nanos = Math.max(0, toNanoDollars(usage.cost_usd) + change.cost_nanos);
  const changed: Usage = { ...usage, cost_usd: nanos / 1e9, ...(left > 0 ? { unpriced: left } : {}) };
  return withUncertainty(changed, addUncertainty(uncertaintyOf(usage), change));
}

/** A call's usage as its frame reports it. Programs write 0 for models whose price they do not know: 0 for tokens is no
 * price, unless `costs_nothing` says that it is. */
export function reportedUsage(
  call: Usage & { costs_nothing?: boolean | undefined; ended?: string | undefined },
): Usage {
  const { input, output, cache_read, cache_write, cost_usd, unpriced, costs_nothing = false, ended } = call;
  const used: Usage = { input, output, cache_read, cache_write, cost_usd };
  const isNothing = input + output + cache_read + cache_write === 0 && ended !== "cut";
  const isPriced = cost_usd > 0 || costs_nothing || isNothing;
  const missing = isPriced ? (unpriced ?? 0) : Math.max(1, unpriced ?? 0);
  if (missing > 0) used.unpriced = missing;
  return call.estimated === undefined ? used : withUncertainty(used, uncertaintyOf(call));
}

/** The source of a price, as the ledger names it, is none: the price is not known. */
export const isUnpriced = (price: string): boolean => price === "none" || price === "incomplete";

/** How much of the context window a call used: everything it sent plus what it got back. */
export const contextTokens = (call: Usage): number =>
  call.input + call.cache_read + call.cache_write + call.output;
