// The store seam: sessions, their logs, queues, questions and answers, and the ledger. Everything is
// asynchronous and nothing in it assumes a file or a database, so that another machine can hold it.
import type { Question, QueueItem, Response, Usage } from "@patchbay/protocol";
import type { Worktree } from "../machine/git/worktree.ts";
import type { BudgetStore } from "./budget-store.ts";
import type { ImportStore } from "./imported.ts";
import type { LoginStore } from "./login-store.ts";
import type { SaidNews, SearchHit, SearchQuery } from "./search.ts";
import type { SessionLog } from "./session-log.ts";
import type { SettingsStore } from "./settings-store.ts";

export interface SessionRecord {
  id: string;
  name: string;
  worker: string;
  dialect: string;
  cwd: string;
  provider: string;
  model: string;
  created_at: string;
  updated_at: string;
  /** As of the last turn's end; the log of an opened session knows better. */
  seq: number;
  message_count: number;
  /** The worker process that was last started and has not been seen to end. */
  process: ProcessMark | null;
  /** It stands above the others. */
  pinned: boolean;
  /** Out of sight, and kept. */
  archived: boolean;
  /** When it will be deleted, unless somebody wants it back; null: it stays. */
  deletes_at: string | null;
  /** What the agent itself calls it: with that, some can go on where they were. All that it was called is remembered. */
  agent_session?: string | null;
  /** What it is spent for, where that is another directory than its own: it works in a worktree of it. */
  project?: string;
  /** Where the worktree belongs that was made for it; absent: it has none, or an earlier version made it. */
  worktree?: Worktree;
}

/** Tells a process from a later one with the same number. */
export interface ProcessMark {
  pid: number;
  /** What it and everything it starts carries in its environment. */
  tag: string;
  /** When the system says it started; null where it does not say. */
  started: string | null;
}

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
export interface TurnCosts {
  turns: number;
  /** Not among the others: what they cost is not known. */
  unpriced_turns: number;
  median_usd: number | null;
  p95_usd: number | null;
  buckets: { from_usd: number; to_usd: number | null; turns: number; cost_usd: number }[];
}

/** The sums of one moment. */
export interface LedgerMoment {
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

/** A prompt or compaction that was accepted and has not started yet. */
export interface QueuedTask extends QueueItem {
  /** The command as the worker gets it, without type and id. */
  payload: Record<string, unknown>;
  /** Who asked, and under which id; null when no answer was wanted. */
  viewer: string;
  command_id: string | null;
  /** It was given to the worker when this was the newest frame; null: it waits. */
  sent_seq: number | null;
}

/** A command whose effect must not be repeated, and what was answered. */
export interface KnownAnswer {
  viewer: string;
  id: string;
  response: Response;
}

/** An event on its way to a webhook. */
export interface Delivery {
  id: string;
  url: string;
  event: string;
  body: string;
  /** How often it was tried. */
  attempts: number;
  next_at: number;
}

export interface Store extends ImportStore {
  readonly budgets: BudgetStore;
  readonly logins: LoginStore;
  /** Of the whole home; those of a session are named `session <id> <name>` and go with it. */
  readonly settings: SettingsStore;

  createSession(record: SessionRecord): Promise<void>;
  updateSession(id: string, change: Partial<Omit<SessionRecord, "id">>): Promise<void>;
  /** Log, queue, questions, answers and what the search knows go with it; its ledger entries stay. */
  deleteSession(id: string): Promise<void>;
  /** Oldest first. */
  listSessions(): Promise<SessionRecord[]>;

  openLog(session: string): Promise<SessionLog>;

  /** Adds the task, or changes it, and touches nothing else: what a prompt's way to the worker waits for. */
  keepTask(session: string, task: QueuedTask): Promise<void>;
  /** The queue is these tasks and no others; the answers are saved with it, or neither is. */
  saveQueue(session: string, tasks: readonly QueuedTask[], answers: readonly KnownAnswer[]): Promise<void>;
  loadQueue(session: string): Promise<QueuedTask[]>;
  /** The sessions in which something waits. */
  sessionsThatWait(): Promise<ReadonlySet<string>>;
  saveAnswer(session: string, answer: KnownAnswer): Promise<void>;
  /** The newest `limit`, oldest first. */
  loadAnswers(session: string, limit: number): Promise<KnownAnswer[]>;
  saveQuestions(session: string, questions: readonly Question[]): Promise<void>;
  loadQuestions(session: string): Promise<Question[]>;

  /** Entries whose frames are committed. Recording one again changes nothing. */
  record(entries: readonly LedgerEntry[]): Promise<void>;
  /** The newest frame of the session whose entry is recorded; 0 when none is. */
  ledgerPosition(session: string): Promise<number>;
  queryLedger(query: LedgerQuery): Promise<LedgerRow[]>;
  /** The same, with where the ledger stood at that moment. */
  ledgerMoment(query: LedgerQuery): Promise<LedgerMoment>;
  /** Finds entries whose price is another now, and changes them and the sums unless it is a rehearsal. */
  reprice(
    wish: Pick<Repricing, "by" | "reason" | "catalog"> & { query: RepriceQuery; rehearse: boolean },
    newPrice: (entry: LedgerEntry) => Pick<LedgerEntry, "cost_micros" | "price"> | undefined,
    changed: (changes: readonly PriceChange[]) => void,
  ): Promise<Repricing>;
  /** Newest first. */
  listRepricings(limit: number): Promise<Repricing[]>;
  /** By session, of the entries since then: of the last minutes, not of weeks. */
  spentSince(time: number): Promise<Map<string, LedgerSums>>;
  /** The turns that began in the time asked for, most expensive first. */
  expensiveTurns(query: TurnQuery, limit: number): Promise<TurnSpend[]>;
  expensiveSessions(query: TurnQuery, limit: number): Promise<SessionSpend[]>;
  turnCosts(query: TurnQuery): Promise<TurnCosts>;

  /** Adds it, or notes another attempt. */
  keepDelivery(delivery: Delivery): Promise<void>;
  dropDelivery(id: string): Promise<void>;
  deliveries(): Promise<Delivery[]>;

  /** Puts what was said into the search, in one step. Doing it again changes nothing. */
  index(news: readonly SaidNews[]): Promise<void>;
  /** Up to which frame the session can be searched. */
  indexedUpTo(session: string): Promise<number>;
  /** The sessions that have more than can be searched. */
  unindexed(): Promise<string[]>;
  /** The newest first. */
  search(query: SearchQuery): Promise<SearchHit[]>;

  close(): Promise<void>;
}
