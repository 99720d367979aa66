// The store seam: queries over all sessions (lists, ledger, search, budgets, deliveries), and `claim`, by which a server becomes
// the owner of one session. Everything is asynchronous and nothing in it assumes a file or a database.

import type { BudgetStore } from "./budget-store.ts";
import type { ImportStore } from "./imported.ts";
import type {
  EntryPosition,
  EntryStep,
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
import type { AnnouncementStore } from "./outgoing/announcement-store.ts";
import type { Delivery } from "./outgoing/delivery.ts";
import type { OwnedSession } from "./owned-session.ts";
import type { AuditStore } from "./people/audit-store.ts";
import type { CredentialStore } from "./people/credential-store.ts";
import type { LoginStore } from "./people/login-store.ts";
import type { PeopleStore } from "./people/people-store.ts";
import type { ShareStore } from "./people/share-store.ts";
import type { TokenStore } from "./people/token-store.ts";
import type { PermissionStore } from "./permission-store.ts";
import type { SearchHit, SearchQuery, SearchUpdate } from "./search.ts";
import type { SessionKey } from "./session-keys.ts";
import type { SessionRecord } from "./session-record.ts";
import type { SettingsStore } from "./settings-store.ts";

export interface Store extends ImportStore {
  readonly audit: AuditStore;
  readonly announcements: AnnouncementStore;
  readonly budgets: BudgetStore;
  readonly credentials: CredentialStore;
  readonly logins: LoginStore;
  readonly people: PeopleStore;
  readonly permissions: PermissionStore;
  /** Settings of the home. Those of a session are named `session <id> <name>` and are deleted with it. */
  readonly settings: SettingsStore;
  readonly shares: ShareStore;
  readonly tokens: TokenStore;

  /** `key`: of the call that creates it, written in the same transaction. */
  createSession(record: SessionRecord, key?: SessionKey): Promise<void>;
  /** The session that a call with this key has created, also when it was deleted since; null: none. */
  sessionOfKey(key: SessionKey): Promise<string | null>;
  /** The same call may create another session. */
  forgetKeyOf(session: string): Promise<void>;
  /** Deletes log, queue, questions, receipts, permissions and indexed texts too. Its ledger entries stay. */
  deleteSession(id: string): Promise<void>;
  /** Oldest first. */
  listSessions(): Promise<SessionRecord[]>;

  /** Makes this server the owner of the session: only an owner may write what belongs to it. */
  claim(session: string): Promise<OwnedSession>;

  /** The sessions with tasks in their queue. */
  queuedSessions(): Promise<ReadonlySet<string>>;

  /** Records entries whose frames are committed. Recording one again changes nothing. */
  record(entries: readonly LedgerEntry[]): Promise<void>;
  /** The newest recorded frame of the session; 0: none. */
  ledgerPosition(session: string): Promise<number>;
  queryLedger(query: LedgerQuery): Promise<LedgerRow[]>;
  /** The same, with the newest entry of each session that the sums contain. */
  ledgerSnapshot(query: LedgerQuery): Promise<LedgerSnapshot>;
  /** Single entries after a position, oldest first. A step has at most `limit` and may have none, though there is a next one. */
  ledgerEntries(query: TurnQuery, after: EntryPosition | undefined, limit: number): Promise<EntryStep>;
  /** Finds entries with a new price, and changes them and the sums unless it is a dry run. */
  reprice(
    request: Pick<Repricing, "by" | "reason" | "catalog"> & { query: RepriceQuery; dryRun: boolean },
    newPrice: (entry: LedgerEntry) => Pick<LedgerEntry, "cost_nanos" | "price"> | undefined,
    changed: (changes: readonly PriceChange[]) => void,
  ): Promise<Repricing>;
  /** Newest first. */
  listRepricings(limit: number): Promise<Repricing[]>;
  /** Sums by session since `time`. Reads single entries, so it is for minutes, not weeks. */
  spentSince(time: number): Promise<Map<string, LedgerSums>>;
  /** Most expensive first. */
  expensiveTurns(query: TurnQuery, limit: number): Promise<TurnSpend[]>;
  /** The sums of one turn, which is named by its prompt's frame. */
  turnSpend(session: string, turn: number): Promise<LedgerSums>;
  expensiveSessions(query: TurnQuery, limit: number): Promise<SessionSpend[]>;
  turnCosts(query: TurnQuery): Promise<TurnCostDistribution>;

  /** Adds a delivery, or updates its attempts. */
  saveDelivery(delivery: Delivery): Promise<void>;
  deleteDelivery(id: string): Promise<void>;
  deliveries(): Promise<Delivery[]>;

  /** Adds texts to the search index. Adding them again changes nothing. */
  index(updates: readonly SearchUpdate[]): Promise<void>;
  /** The last indexed frame of the session. */
  indexedUpTo(session: string): Promise<number>;
  /** The sessions with frames that are not indexed. */
  unindexed(): Promise<string[]>;
  /** Newest first. */
  search(query: SearchQuery): Promise<SearchHit[]>;

  close(): Promise<void>;
}
