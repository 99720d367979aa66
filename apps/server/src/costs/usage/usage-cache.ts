// Computes what the providers' caches saved: the price of fresh input for what was read from them, less the extra cost of writing
// them. Uses the lowest tier of the current catalog. Reads of a model without rates are counted in `unknown_cache_read`.
import type { LedgerRow } from "../../store/ledger-types.ts";
import type { Prices } from "../prices/prices.ts";
import { ratesAt } from "../prices/rates.ts";

export function cacheSavings(rows: readonly LedgerRow[], prices: Prices) {
  const sums = { input: 0, cache_read: 0, cache_write: 0, saved_usd: 0, unknown_cache_read: 0 };
  for (const { keys, usage } of rows) {
    sums.input += usage.input;
    sums.cache_read += usage.cache_read;
    sums.cache_write += usage.cache_write;
    const found = prices.ratesOf(keys.provider ?? "", keys.model ?? "")?.rates;
    if (found === undefined) {
      sums.unknown_cache_read += usage.cache_read;
      continue;
    }
    const rates = ratesAt(found, Date.now());
    const less = usage.cache_read * (rates.input - (rates.cache_read ?? rates.input));
    const more = usage.cache_write * ((rates.cache_write ?? rates.input) - rates.input);
    sums.saved_usd += (less - more) / 1e6; // a rate is micro-dollars per token
  }
  const all = sums.input + sums.cache_read + sums.cache_write;
  return {
    ...sums,
    saved_usd: Math.round(sums.saved_usd * 1e6) / 1e6,
    hit_ratio: all === 0 ? null : sums.cache_read / all,
  };
}
