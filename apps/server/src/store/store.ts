// The store seam: questions about all sessions (lists, ledger, search, budgets, deliveries), and `claim`, by which a server
// becomes the owner of one session. Everything is asynchronous and nothing in it assumes a file or a database.
import type { BudgetStore } from "./budget-store.ts";
import type { ImportStore } from "./imported.ts";
import type {
  LedgerEntry,
  LedgerQuery,
  LedgerRow,
  LedgerSnapshot,
  LedgerSums,
  PriceChange,
  RepriceQuery,
  Repricing,
  SessionSpend,
  TurnCostDistribution,
  TurnQuery,
  TurnSpend,
} from "./ledger-types.ts";
import type { LoginStore } from "./login-store.ts";
import type { OwnedSession } from "./owned-session.ts";
import type { SearchHit, SearchQuery, SearchUpdate } from "./search.ts";
import type { SessionRecord } from "./session-record.ts";
import type { SettingsStore } from "./settings-store.ts";

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
  /** Log, queue, questions, receipts and what the search knows go with it; its ledger entries stay. */
  deleteSession(id: string): Promise<void>;
  /** Oldest first. */
  listSessions(): Promise<SessionRecord[]>;

  /** Makes this server the owner of the session: only an owner may write what belongs to it. */
  claim(session: string): Promise<OwnedSession>;

  /** The sessions in which something waits. */
  sessionsThatWait(): Promise<ReadonlySet<string>>;

  /** Entries whose frames are committed. Recording one again changes nothing. */
  record(entries: readonly LedgerEntry[]): Promise<void>;
  /** The newest frame of the session whose entry is recorded; 0 when none is. */
  ledgerPosition(session: string): Promise<number>;
  queryLedger(query: LedgerQuery): Promise<LedgerRow[]>;
  /** The same, with where the ledger stood at that moment. */
  ledgerSnapshot(query: LedgerQuery): Promise<LedgerSnapshot>;
  /** Finds entries whose price is another now, and changes them and the sums unless it is a rehearsal. */
  reprice(
    wish: Pick<Repricing, "by" | "reason" | "catalog"> & { query: RepriceQuery; dryRun: boolean },
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
  turnCosts(query: TurnQuery): Promise<TurnCostDistribution>;

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
