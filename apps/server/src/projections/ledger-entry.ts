// Turns one usage frame into a ledger entry. Written out field by field: object spreads were a large part of the cost of a
// usage frame.
import {
  isUnpriced,
  type PricedFrame,
  reportedUsage,
  type TokenCounts,
  toNanoDollars,
  type Usage,
  type UsageEvent,
  uncertaintyOf,
  withUncertainty,
} from "@patchbay/protocol";
import type { Spender } from "../costs/budgets/tally.ts";
import type { Prices } from "../costs/prices/prices.ts";
import { entryUncertainty, type LedgerEntry, type PriceSource } from "../store/ledger-types.ts";
import type { SessionRecord } from "../store/session-record.ts";

/** When and for which prompt and branch it was spent. */
export interface Circumstances {
  time: string;
  /** The number of the newest prompt's frame. */
  turn: number;
  branch: string;
  /** The person who sent it; undefined: not known. */
  causedBy?: string | undefined;
}

export function ledgerEntry(
  frame: UsageEvent,
  seq: number,
  session: SessionRecord,
  { time, turn, branch, causedBy }: Circumstances,
  prices: Prices,
): LedgerEntry {
  // An agent may call another model than the session's, for a summary or a sub-agent.
  const { provider = session.provider, model = session.model } = frame;
  const { input, output, cache_read, cache_write, cache_write_1h = 0, incomplete = false } = frame;
  const { fast = false, searches = 0, images = 0 } = frame;
  const at = Date.parse(time);
  const thinking = frame.thinking ?? frame.reasoning ?? 0;
  const reported_nanos = (reportedUsage(frame).unpriced ?? 0) === 0 ? toNanoDollars(frame.cost_usd) : null;
  const { cost_nanos, price, list_nanos } = prices.of({
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
    time: at,
  });
  // A model that is free costs nothing, answered or not.
  const isUnanswered = frame.ended === "unanswered" && !isFree(frame, price);
  const entry: LedgerEntry = {
    session: session.id,
    seq,
    time,
    turn,
    person: session.owner ?? "",
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
    price: isUnanswered ? "unanswered" : price === "none" && isUncounted(frame) ? "incomplete" : price,
  };
  if (frame.bounds !== undefined && frame.costs_nothing !== true) {
    const whose = { provider, model, time: at, cache_write_1h };
    addBounds(
      entry,
      frame,
      (tokens) => prices.byRates({ ...tokens, ...whose, ...asWhole })?.cost_nanos,
      (nanos) => prices.discountedNanos(whose, nanos),
    );
  }
  if (causedBy !== undefined) entry.caused_by = causedBy;
  if (frame.call !== undefined) entry.call = frame.call;
  if (list_nanos !== undefined) entry.list_nanos = list_nanos;
  if (cache_write_1h > 0) entry.cache_write_1h = cache_write_1h;
  if (fast) entry.fast = fast;
  if (searches > 0) entry.searches = searches;
  if (images > 0) entry.images = images;
  return entry;
}

const asWhole = { reported_nanos: null, incomplete: false };

/** A call whose tokens are missing or estimated: rates that become known later cannot price it. */
const isUncounted = ({ incomplete, bounds }: UsageEvent): boolean =>
  incomplete === true || bounds !== undefined;

const isFree = ({ costs_nothing }: UsageEvent, price: PriceSource): boolean =>
  costs_nothing === true || (price !== "worker" && !isUnpriced(price));

/** A cut call cost between the price of the fewest and of the most tokens. `cost` is undefined where no rates are known. */
function addBounds(
  entry: LedgerEntry,
  { bounds, low_usd, high_usd, estimated }: UsageEvent,
  cost: (tokens: TokenCounts) => number | undefined,
  discounted: (nanos: number) => number,
): void {
  const reported = (dollars: number | undefined): number | undefined =>
    dollars === undefined ? undefined : discounted(toNanoDollars(dollars));
  const isWorkers = entry.price === "worker" || (entry.price === "unanswered" && estimated === 1);
  const ofRates = (tokens: TokenCounts | undefined): number | undefined =>
    tokens === undefined || isNothing(tokens) ? 0 : cost(tokens);
  const byRates = { low: ofRates(bounds?.low), high: ofRates(bounds?.high) };
  const low = (isWorkers ? reported(low_usd) : undefined) ?? byRates.low ?? reported(low_usd);
  const high = (isWorkers ? reported(high_usd) : undefined) ?? byRates.high ?? reported(high_usd);
  if (high === 0) return; // the model is free
  const unknown = isUnpriced(entry.price);
  entry.certainty = unknown ? "unknown" : "estimated";
  if (low !== undefined) entry.low_nanos = unknown ? low : Math.min(low, entry.cost_nanos);
  if (high !== undefined) entry.high_nanos = Math.max(high, entry.cost_nanos);
}

const isNothing = ({ input, output, cache_read, cache_write }: TokenCounts): boolean =>
  input + output + cache_read + cache_write === 0;

/** The directory that costs are counted for: for a worktree, the directory it was made from. */
export const projectOf = ({ cwd, project }: { cwd: string; project?: string | undefined }): string =>
  project ?? cwd;

/** The session as budgets select it. */
export const spenderOf = (
  session: Pick<SessionRecord, "id" | "cwd" | "worker" | "owner"> & { project?: string | undefined },
): Spender => ({
  session: session.id,
  person: session.owner ?? "",
  cwd: projectOf(session),
  worker: session.worker,
});

/** What the entry adds to the sums of its session. */
export function usageOf(entry: LedgerEntry): Usage {
  const { input, output, cache_read, cache_write, cost_nanos, price } = entry;
  const usage: Usage = { input, output, cache_read, cache_write, cost_usd: cost_nanos / 1e9 };
  if (isUnpriced(price)) usage.unpriced = 1;
  return withUncertainty(usage, entryUncertainty(entry));
}

/** A frame that shows viewers the price of a usage frame; null when the usage frame already has it. */
export function pricedFrame(frame: UsageEvent, entry: LedgerEntry): PricedFrame | null {
  const reported = reportedUsage(frame);
  const { cost_usd, unpriced = 0 } = reported;
  const [then, now] = [uncertaintyOf(reported), entryUncertainty(entry)];
  const more = Math.max(0, entry.output - frame.output);
  const isSame =
    toNanoDollars(cost_usd) === entry.cost_nanos &&
    unpriced === Number(isUnpriced(entry.price)) &&
    then.estimated === now.estimated &&
    then.below_nanos === now.below_nanos &&
    then.above_nanos === now.above_nanos &&
    more === 0;
  if (isSame) return null;
  const was = { cost_usd, unpriced, ...estimateOf(reported) };
  return {
    type: "priced",
    time: new Date().toISOString(),
    frame: entry.seq,
    cost_usd: entry.cost_nanos / 1e9,
    price: entry.price,
    ...estimateOf(usageOf(entry)),
    ...(more === 0 ? {} : { more_output: more }),
    ...(cost_usd === 0 && unpriced === 1 && then.estimated === 0 ? {} : { was }),
    ...(frame.purpose === undefined ? {} : { purpose: frame.purpose }),
  };
}

const estimateOf = ({
  estimated,
  low_usd,
  high_usd,
}: Usage): Pick<Usage, "estimated" | "low_usd" | "high_usd"> =>
  estimated === undefined ? {} : { estimated, low_usd, high_usd };
