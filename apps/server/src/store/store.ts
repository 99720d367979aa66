// The store seam: sessions, their logs, queues, questions and answers, and the ledger. Everything is
// asynchronous and nothing in it assumes a file or a database, so that another machine can hold it.
import type { Question, QueueItem, Response } from "@patchbay/protocol";
import type { Worktree } from "../machine/git/worktree.ts";
import type { BudgetStore } from "./budget-store.ts";
import type { ImportStore } from "./imported.ts";
import type {
  LedgerEntry,
  LedgerMoment,
  LedgerQuery,
  LedgerRow,
  LedgerSums,
  PriceChange,
  RepriceQuery,
  Repricing,
  SessionSpend,
  TurnCosts,
  TurnQuery,
  TurnSpend,
} from "./ledger-types.ts";
import type { LoginStore } from "./login-store.ts";
import type { SearchHit, SearchQuery, SearchUpdate } from "./search.ts";
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
  index(news: readonly SearchUpdate[]): Promise<void>;
  /** Up to which frame the session can be searched. */
  indexedUpTo(session: string): Promise<number>;
  /** The sessions that have more than can be searched. */
  unindexed(): Promise<string[]>;
  /** The newest first. */
  search(query: SearchQuery): Promise<SearchHit[]>;

  close(): Promise<void>;
}
