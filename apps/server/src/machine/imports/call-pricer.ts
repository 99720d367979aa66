// Prices a call of a session file: by the file's own figure, else by the operator's overrides or the catalog, else unpriced.
import { toMicroDollars } from "@patchbay/protocol";
import type { Priced, Prices } from "../../costs/prices/prices.ts";
import type { RecordedCall } from "./recorded-call.ts";

export type CallPricer = (call: RecordedCall) => Priced;

export const callPricer =
  (prices: Prices): CallPricer =>
  ({ provider, model, input, output, cache_read, cache_write, cost_usd }) =>
    prices.of({
      ...{ provider, model, input, output, cache_read, cache_write },
      told_micros: cost_usd === null ? null : toMicroDollars(cost_usd),
      incomplete: false,
    });
