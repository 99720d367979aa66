// What one usage frame means for the ledger.
import { noUsage, type ServerEvent, toMicroDollars, type Usage, type UsageEvent } from "@patchbay/protocol";
import type { Prices } from "../prices/prices.ts";
import { isUnpriced, type LedgerEntry, type SessionRecord } from "../store/store.ts";

/** What was going on when it was spent. */
export interface Circumstances {
  time: string;
  /** The number of the newest prompt's frame. */
  turn: number;
  branch: string;
}

export function ledgerEntry(
  frame: UsageEvent,
  seq: number,
  session: SessionRecord,
  { time, turn, branch }: Circumstances,
  prices: Prices,
): LedgerEntry {
  const { provider, model } = session;
  const { input, output, cache_read, cache_write, incomplete = false } = frame;
  const thinking = frame.thinking ?? frame.reasoning ?? 0;
  const told_micros = (frame.unpriced ?? 0) === 0 ? toMicroDollars(frame.cost_usd) : null;
  const tokens = { input, output, cache_read, cache_write };
  const priced = prices.of({ ...tokens, provider, model, told_micros, incomplete });
  return {
    session: session.id,
    seq,
    time,
    turn,
    person: "",
    cwd: session.cwd,
    branch,
    worker: session.worker,
    provider,
    model,
    ...tokens,
    thinking,
    cost_micros: priced.cost_micros,
    price: priced.price === "none" && incomplete ? "incomplete" : priced.price,
    ...(frame.call === undefined ? {} : { call: frame.call }),
  };
}

/** What the entry adds to the sums of its session. */
export const usageOf = ({
  input,
  output,
  cache_read,
  cache_write,
  cost_micros,
  price,
}: LedgerEntry): Usage => ({
  ...noUsage,
  input,
  output,
  cache_read,
  cache_write,
  cost_usd: cost_micros / 1e6,
  ...(isUnpriced(price) ? { unpriced: 1 } : {}),
});

/** Its worker did not know the price; viewers are to be told. */
export const isFromCatalog = ({ price }: LedgerEntry): boolean => price !== "worker" && !isUnpriced(price);

export const pricedFrame = ({ seq, cost_micros, price }: LedgerEntry): ServerEvent => ({
  type: "priced",
  time: new Date().toISOString(),
  frame: seq,
  cost_usd: cost_micros / 1e6,
  price,
});
