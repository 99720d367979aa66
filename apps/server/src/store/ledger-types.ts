// What the ledger holds and can be asked: one entry per model call, sums of them, and prices that are changed later.
import { addUsage, type Usage } from "@patchbay/protocol";

/** Where a price came from: the worker said it, a catalog (with its version) or an override (with its pattern) has
 * it, or nobody knows: no rate is known, or not all the tokens that a rate would be for. */
export type PriceSource = "worker" | "none" | "incomplete" | `catalog ${string}` | `override ${string}`;

/** One model call. Costs are whole micro-dollars; an unpriced call has no cost, which is not zero. */
export interface LedgerEntry {
  session: string;
  /** The usage frame that says so; with the session, its identity: nothing is counted twice. */
  seq: number;
  time: string;
  /** The number of the frame of the prompt it was spent for; 0: before any. */
  turn: number;
  person: string;
  cwd: string;
  branch: string;
  worker: string;
  provider: string;
  model: string;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  thinking: number;
  cost_micros: number;
  price: PriceSource;
  /** Absent: a session of ours spent it. */
  origin?: "import";
  /**
   * Which call of the model it was, where both the worker and the program's own file tell enough to know it again:
   * what a file says is counted only if no log has said it.
   */
  call?: string;
}

/** Whom, what or where spending is attributed to. */
export const ledgerDimensions = ["person", "cwd", "branch", "worker", "provider", "model"] as const;
export type LedgerDimension = (typeof ledgerDimensions)[number];

export const ledgerGroups = ["day", "hour", "session", ...ledgerDimensions] as const;
export type LedgerGroup = (typeof ledgerGroups)[number];

export interface LedgerQuery {
  /** Inclusive and exclusive, RFC 3339. */
  from?: string | undefined;
  to?: string | undefined;
  groupBy: readonly LedgerGroup[];
  /** Only what equals these. */
  where?: Partial<Record<LedgerDimension | "session", string | undefined>>;
  /** The IANA name of the zone that days and hours are counted in; UTC unless given. */
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

/** Of turns that began in that time. */
export type TurnQuery = Omit<LedgerQuery, "groupBy" | "timeZone">;

/** A turn and what it cost. */
export interface TurnSpend {
  session: string;
  turn: number;
  started: string;
  ended: string;
  keys: Record<LedgerDimension, string>;
  usage: LedgerSums;
}

/** A session and what its turns cost. */
export interface SessionSpend extends Omit<TurnSpend, "turn"> {
  turns: number;
}

/** How costs per turn are spread; bars without turns are left out. */
export interface TurnCostDistribution {
  turns: number;
  /** Not among the others: what they cost is not known. */
  unpriced_turns: number;
  median_usd: number | null;
  p95_usd: number | null;
  buckets: { from_usd: number; to_usd: number | null; turns: number; cost_usd: number }[];
}

/** The sums of one moment. */
export interface LedgerSnapshot {
  rows: LedgerRow[];
  /** The newest entry of each session that is among them, where any was recorded since the store was opened. */
  upTo: ReadonlyMap<string, number>;
}

export interface RepriceQuery extends TurnQuery {
  /** Only prices that came from these. */
  sources: readonly ("worker" | "catalog" | "override" | "none" | "incomplete")[];
}

/** One entry that costs something else from now on. */
export interface PriceChange {
  entry: LedgerEntry;
  cost_micros: number;
  price: PriceSource;
}

/** Prices changed after the fact: who did it, why, and how much it changed. */
export interface Repricing {
  id: string;
  time: string;
  by: string;
  reason: string;
  /** What was asked for, as it was asked. */
  query: string;
  catalog: string;
  entries: number;
  before_micros: number;
  after_micros: number;
  unpriced_before: number;
  unpriced_after: number;
  /** False while it goes on, and when the server ended meanwhile: what it had changed by then is counted. */
  finished: boolean;
}
