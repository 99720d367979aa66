// The usage of a call that its provider did not count to the end: an estimate with its bounds, priced like any other call.
import { estimateCut, noTokens, type TokenCounts, toNanoDollars } from "@patchbay/protocol";
import type { Model } from "../catalog.ts";
import type { CallUsage, ModelCall } from "./adapter.ts";

/** `soFar`: what the provider had counted; `streamedBytes`: what it had sent of its answer. */
export function cutUsage(call: ModelCall, soFar: CallUsage, streamedBytes: number): CallUsage {
  const { tokens, bounds } = estimateCut({
    sent: call.sent,
    maxOutput: call.maxTokens ?? call.model.maxOutput,
    soFar,
    streamedBytes,
  });
  const { thinking, cache_write_1h } = soFar;
  return {
    ...tokens,
    ...priced(call.model, { estimate: tokens, ...bounds }, cache_write_1h ?? 0),
    bounds,
    ended: "cut",
    ...(thinking === undefined ? {} : { thinking }),
    ...(cache_write_1h === undefined ? {} : { cache_write_1h }),
  };
}

/** The call was cut before its provider answered: it counts as nothing, and may have cost as much as any. */
export function unansweredUsage(call: ModelCall): CallUsage {
  const { bounds } = estimateCut({
    sent: call.sent,
    maxOutput: call.maxTokens ?? call.model.maxOutput,
    streamedBytes: 0,
  });
  const [low, estimate] = [noTokens, noTokens];
  return {
    ...noTokens,
    ...priced(call.model, { low, estimate, high: bounds.high }, 0),
    bounds: { low, high: bounds.high },
    ended: "unanswered",
  };
}

function priced(
  model: Model,
  { low, estimate, high }: Record<"low" | "estimate" | "high", TokenCounts>,
  longWrites: number,
): Pick<CallUsage, "cost_usd" | "estimated" | "low_usd" | "high_usd" | "cost_source" | "unpriced"> {
  const rates = model.entry?.cost;
  if (rates === undefined || (rates.input === 0 && rates.output === 0)) return { cost_usd: 0, unpriced: 1 };
  const cost = (tokens: TokenCounts): number => dollars(rates, tokens, longWrites);
  return {
    cost_usd: cost(estimate),
    estimated: 1,
    low_usd: cost(low),
    high_usd: Math.max(cost(estimate), cost(high)),
    cost_source: "catalog",
  };
}

type Rates = NonNullable<Model["entry"]>["cost"];

/** As the library prices a call that its provider counted. */
function dollars(rates: Rates, tokens: TokenCounts, longWrites: number): number {
  const { input, output, cache_read, cache_write } = tokens;
  const sent = input + cache_read + cache_write;
  const tier = (rates.tiers ?? [])
    .filter(({ inputTokensAbove }) => sent > inputTokensAbove)
    .sort((a, b) => b.inputTokensAbove - a.inputTokensAbove)[0];
  const rate = tier ?? rates;
  const long = Math.min(longWrites, cache_write);
  // Models without a price for writing to their cache charge it as input.
  const write = rate.cacheWrite > 0 ? rate.cacheWrite : rate.input;
  const micros =
    input * rate.input +
    output * rate.output +
    cache_read * rate.cacheRead +
    (cache_write - long) * write +
    long * rate.input * 2;
  return toNanoDollars(micros / 1e6) / 1e9;
}
