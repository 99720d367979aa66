// Prices a call of a session file: by the file's own figure, else by the operator's overrides or the catalog, else unpriced.
import { isUnpriced, toNanoDollars } from "@patchbay/protocol";
import type { RecordedCall } from "../../machine/machine.ts";
import type { Priced, Prices } from "../prices/prices.ts";

export type CallPricer = (call: RecordedCall) => Priced;

export const callPricer =
  (prices: Prices): CallPricer =>
  ({ time, cost_usd, incomplete, ...call }) =>
    prices.of({
      ...call,
      time: Date.parse(time),
      reported_nanos: cost_usd === null ? null : toNanoDollars(cost_usd),
      incomplete: incomplete === true,
    });

/** The call as a frame of a session that began elsewhere: the ledger has it already. */
export function importedUsage(recorded: RecordedCall, pricer: CallPricer) {
  const { input, output, cache_read, cache_write, thinking, call } = recorded;
  const { cost_nanos, price } = pricer(recorded);
  return {
    type: "usage" as const,
    ...{ input, output, cache_read, cache_write, thinking },
    cost_usd: cost_nanos / 1e9,
    ...(isUnpriced(price) ? { unpriced: 1 } : cost_nanos === 0 ? { costs_nothing: true } : {}),
    ...(recorded.incomplete === true ? { incomplete: true } : {}),
    call,
    // The context of a turn is its last call's, which a sum does not have.
    ...(recorded.isSum === true ? { purpose: "calls" } : {}),
    imported: true,
  };
}
