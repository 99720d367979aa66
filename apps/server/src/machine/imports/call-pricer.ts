// What a call of a file cost: as the file says, else as the operator's overrides or the catalog know, else nobody knows.
import { toMicroDollars } from "@patchbay/protocol";
import type { Priced, Prices } from "../../costs/prices/prices.ts";
import type { ToldCall } from "./recorded-call.ts";

export type PriceCall = (call: ToldCall) => Priced;

export const priced =
  (prices: Prices): PriceCall =>
  ({ provider, model, input, output, cache_read, cache_write, cost_usd }) =>
    prices.of({
      ...{ provider, model, input, output, cache_read, cache_write },
      told_micros: cost_usd === null ? null : toMicroDollars(cost_usd),
      incomplete: false,
    });
