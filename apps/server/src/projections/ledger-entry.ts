// Turns one usage frame into a ledger entry. Written out field by field: object spreads were a large part of the cost of a
// usage frame.
import {
  isUnpriced,
  type PricedFrame,
  reportedUsage,
  toNanoDollars,
  type Usage,
  type UsageEvent,
} from "@patchbay/protocol";
import type { Spender } from "../costs/budgets/tally.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { LedgerEntry } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/session-record.ts";

/** When and for which prompt and branch it was spent. */
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
  // An agent may call another model than the session's, for a summary or a sub-agent.
  const { provider = session.provider, model = session.model } = frame;
  const { input, output, cache_read, cache_write, cache_write_1h = 0, incomplete = false } = frame;
  const { fast = false, searches = 0, images = 0 } = frame;
  const thinking = frame.thinking ?? frame.reasoning ?? 0;
  const reported_nanos = (reportedUsage(frame).unpriced ?? 0) === 0 ? toNanoDollars(frame.cost_usd) : null;
  const { cost_nanos, price } = prices.of({
    input,
    output,
    cache_read,
    cache_write,
    cache_write_1h,
    fast,
    searches,
    images,
    provider,
    model,
    reported_nanos,
    reported_by_catalog: frame.cost_source === "catalog",
    incomplete,
    time: Date.parse(time),
  });
  const entry: LedgerEntry = {
    session: session.id,
    seq,
    time,
    turn,
    person: "",
    cwd: projectOf(session),
    branch,
    worker: session.worker,
    provider,
    model,
    input,
    output,
    cache_read,
    cache_write,
    thinking,
    cost_nanos,
    price: price === "none" && incomplete ? "incomplete" : price,
  };
  if (frame.call !== undefined) entry.call = frame.call;
  if (cache_write_1h > 0) entry.cache_write_1h = cache_write_1h;
  if (fast) entry.fast = fast;
  if (searches > 0) entry.searches = searches;
  if (images > 0) entry.images = images;
  return entry;
}

/** The directory that costs are counted for: for a worktree, the directory it was made from. */
export const projectOf = ({ cwd, project }: { cwd: string; project?: string | undefined }): string =>
  project ?? cwd;

/** The session as budgets select it. */
export const spenderOf = (
  session: Pick<SessionRecord, "id" | "cwd" | "worker"> & { project?: string | undefined },
): Spender => ({
  session: session.id,
  person: "",
  cwd: projectOf(session),
  worker: session.worker,
});

/** What the entry adds to the sums of its session. */
export function usageOf(entry: LedgerEntry): Usage {
  const { input, output, cache_read, cache_write, cost_nanos, price } = entry;
  const usage: Usage = { input, output, cache_read, cache_write, cost_usd: cost_nanos / 1e9 };
  if (isUnpriced(price)) usage.unpriced = 1;
  return usage;
}

/** A frame that shows viewers the price of a usage frame; null when the usage frame already has it. */
export function pricedFrame(frame: UsageEvent, entry: LedgerEntry): PricedFrame | null {
  const { cost_usd, unpriced = 0 } = reportedUsage(frame);
  const isSame = toNanoDollars(cost_usd) === entry.cost_nanos && unpriced === Number(isUnpriced(entry.price));
  if (isSame) return null;
  return {
    type: "priced",
    time: new Date().toISOString(),
    frame: entry.seq,
    cost_usd: entry.cost_nanos / 1e9,
    price: entry.price,
    ...(cost_usd === 0 && unpriced === 1 ? {} : { was: { cost_usd, unpriced } }),
    ...(frame.purpose === undefined ? {} : { purpose: frame.purpose }),
  };
}
