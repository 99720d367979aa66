// The types of the ledger: one entry per model call, sums of entries, and repricings.
import { addUsage, type CostChange, isUnpriced, type Uncertainty, type Usage } from "@patchbay/protocol";

/** The source of a price: the worker's report, a catalog (with its version) or an override (with its pattern). `none`: no rates are
 * known; `incomplete`: rates may be known, but not all tokens; `unanswered`: the call was cut before the provider answered, and counts
 * as 0. */
export type PriceSource =
  | "worker"
  | "none"
  | "incomplete"
  | "unanswered"
  | `catalog ${string}`
  | `override ${string}`;

/** How well the cost of a call is known. `estimated`: the call was cut, and its cost lies between bounds; `unknown`: it is unpriced. */
export type Certainty = "exact" | "estimated" | "unknown";

/** One model call. Costs are whole nano-dollars; an unpriced call has no cost, which is not zero. */
export interface LedgerEntry {
  session: string;
  /** The number of the usage frame. With the session it identifies the entry, so that no call is counted twice. */
  seq: number;
  time: string;
  /** The number of the prompt's frame; 0: before any prompt. */
  turn: number;
  /** Whose session it was: a session spends its owner's money. Empty: the token holder's. */
  person: string;
  /** The person whose prompt it was for; absent: not known, or the server had no people. */
  caused_by?: string | undefined;
  cwd: string;
  branch: string;
  worker: string;
  provider: string;
  model: string;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  /** Of `cache_write`, what the cache keeps for an hour, which has its own price. Absent: nothing. */
  cache_write_1h?: number | undefined;
  thinking: number;
  /** What the provider bills beside tokens, where it is told: its fast mode, searches that it made, images that the model made. */
  fast?: boolean | undefined;
  searches?: number | undefined;
  images?: number | undefined;
  cost_nanos: number;
  /** At list prices, where a discount made it cheaper. */
  list_nanos?: number | undefined;
  price: PriceSource;
  /** Absent: `unknown` where the price is, else `exact`. */
  certainty?: Certainty | undefined;
  /** What the call cost at least and at most. Absent: no bound is known, or the cost is exact. */
  low_nanos?: number | undefined;
  high_nanos?: number | undefined;
  /** Absent: relayed by a session of this server. */
  origin?: "import";
  /**
   * Identifies the model call, where both the worker and the program's own file have an id for it. A call from a file is counted
   * only if no log has it.
   */
  call?: string;
}

export const certaintyOf = ({ certainty, price }: Pick<LedgerEntry, "certainty" | "price">): Certainty =>
  certainty ?? (isUnpriced(price) ? "unknown" : "exact");

/** What an entry adds to the uncertainty of a sum. An unknown cost is counted as unpriced, its bounds are not summed. */
export function entryUncertainty(
  entry: Pick<LedgerEntry, "certainty" | "price" | "cost_nanos" | "low_nanos" | "high_nanos">,
): Uncertainty {
  if (certaintyOf(entry) !== "estimated") return noUncertainty;
  const { cost_nanos, low_nanos = cost_nanos, high_nanos = cost_nanos } = entry;
  return { estimated: 1, below_nanos: cost_nanos - low_nanos, above_nanos: high_nanos - cost_nanos };
}

const noUncertainty: Uncertainty = { estimated: 0, below_nanos: 0, above_nanos: 0 };

/** What spending is attributed to. */
export const ledgerDimensions = ["person", "cwd", "branch", "worker", "provider", "model"] as const;
export type LedgerDimension = (typeof ledgerDimensions)[number];

export const ledgerGroups = ["day", "hour", "session", ...ledgerDimensions] as const;
export type LedgerGroup = (typeof ledgerGroups)[number];

export interface LedgerQuery {
  /** Inclusive and exclusive, RFC 3339. */
  from?: string | undefined;
  to?: string | undefined;
  groupBy: readonly LedgerGroup[];
  /** Only entries that equal these. */
  where?: Partial<Record<LedgerDimension | "session", string | undefined>>;
  /** The IANA name of the time zone of days and hours. Absent: UTC. */
  timeZone?: string | undefined;
}

export interface LedgerSums extends Usage {
  calls: number;
  thinking: number;
}

export const noSums: LedgerSums = {
  calls: 0,
  input: 0,
  output: 0,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_usd: 0,
};

export const addSums = (a: LedgerSums, b: LedgerSums): LedgerSums => ({
  ...addUsage(a, b),
  calls: a.calls + b.calls,
  thinking: a.thinking + b.thinking,
});

export interface LedgerRow {
  keys: Partial<Record<LedgerGroup, string>>;
  usage: LedgerSums;
}

/** Selects turns by the time of their beginning. */
export type TurnQuery = Omit<LedgerQuery, "groupBy" | "timeZone">;

/** The place of an entry in the order of the ledger: by time, then by session and frame. It never changes. */
export interface EntryPosition {
  /** Milliseconds. */
  time: number;
  session: string;
  seq: number;
}

/** The entries of one step that fit the query, and where the next step begins; undefined: there is none. */
export interface EntryStep {
  entries: LedgerEntry[];
  next: EntryPosition | undefined;
}

/** The cost of one turn. */
export interface TurnSpend {
  session: string;
  turn: number;
  started: string;
  ended: string;
  keys: Record<LedgerDimension, string>;
  usage: LedgerSums;
}

/** The cost of a session's turns. */
export interface SessionSpend extends Omit<TurnSpend, "turn"> {
  turns: number;
}

/** A histogram of costs per turn. Empty buckets are left out. */
export interface TurnCostDistribution {
  turns: number;
  /** Not in the buckets: their cost is unknown. */
  unpriced_turns: number;
  median_usd: number | null;
  p95_usd: number | null;
  buckets: { from_usd: number; to_usd: number | null; turns: number; cost_usd: number }[];
}

/** Sums, and which entries they contain. */
export interface LedgerSnapshot {
  rows: LedgerRow[];
  /** The newest contained entry of each session that was recorded since the store was opened. */
  upTo: ReadonlyMap<string, number>;
}

export interface RepriceQuery extends TurnQuery {
  /** Only entries whose price has one of these sources. */
  sources: readonly ("worker" | "catalog" | "override" | "none" | "incomplete")[];
}

/** A new price of one entry. */
export interface PriceChange {
  entry: LedgerEntry;
  cost_nanos: number;
  price: PriceSource;
  /** At list prices, where a discount makes it cheaper. */
  list_nanos?: number | undefined;
  /** Of an estimated cost, changed in proportion to it. */
  low_nanos?: number | undefined;
  high_nanos?: number | undefined;
  /** Its tokens are known now. Absent: they are known no better than before. */
  certainty?: "exact" | undefined;
}

/** A new price leaves an estimated call estimated, unless its tokens are known now. */
export const certaintyAfter = (
  entry: LedgerEntry,
  { price, certainty }: Pick<PriceChange, "price" | "certainty">,
): Certainty =>
  isUnpriced(price) ? "unknown" : (certainty ?? (certaintyOf(entry) === "estimated" ? "estimated" : "exact"));

/** What the change of a price does to sums. */
export function costChange({ entry, ...after }: PriceChange): Required<CostChange> {
  const certainty = certaintyAfter(entry, after);
  const [before, now] = [entryUncertainty(entry), entryUncertainty({ ...after, certainty })];
  return {
    cost_nanos: after.cost_nanos - entry.cost_nanos,
    unpriced: Number(isUnpriced(after.price)) - Number(isUnpriced(entry.price)),
    estimated: now.estimated - before.estimated,
    below_nanos: now.below_nanos - before.below_nanos,
    above_nanos: now.above_nanos - before.above_nanos,
  };
}

/** A change of past prices: by whom, why, and how much it changed. */
export interface Repricing {
  id: string;
  time: string;
  by: string;
  reason: string;
  /** The query as JSON. */
  query: string;
  catalog: string;
  entries: number;
  before_nanos: number;
  after_nanos: number;
  unpriced_before: number;
  unpriced_after: number;
  /** False while it runs, or if the server ended before it. The figures then count what was changed so far. */
  finished: boolean;
}
