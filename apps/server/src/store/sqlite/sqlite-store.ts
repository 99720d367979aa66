// The store of one machine: SQLite for what is small and related, append-only files for the logs.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../../diagnostics/start-error.ts";
import type { ImportedCall, ImportOutcome, ReadFile } from "../imported.ts";
import type {
  LedgerEntry,
  LedgerQuery,
  LedgerRow,
  LedgerSnapshot,
  LedgerSums,
  SessionSpend,
  TurnCostDistribution,
  TurnQuery,
  TurnSpend,
} from "../ledger-types.ts";
import { FileLog } from "../log-files/file-log.ts";
import { LogWriter } from "../log-files/log-writer.ts";
import { OpenFiles } from "../log-files/open-files.ts";
import type { Delivery } from "../outgoing/delivery.ts";
import type { OwnedSession } from "../owned-session.ts";
import type { SearchHit, SearchQuery, SearchUpdate } from "../search.ts";
import type { SessionKey } from "../session-keys.ts";
import type { SessionRecord } from "../session-record.ts";
import type { Store } from "../store.ts";
import { AnnouncementTable } from "./announcement-table.ts";
import { BudgetTable } from "./budget-table.ts";
import { type Database, openDatabase } from "./database/database.ts";
import { type ReportUnreadable, readableRows } from "./database/readable-rows.ts";
import { deleteDelivery, readDeliveries, saveDelivery } from "./delivery-table.ts";
import { type HomeLock, lockHome } from "./home-lock.ts";
import { ImportTables } from "./import-tables.ts";
import { Ledger } from "./ledger/ledger.ts";
import { readEntries } from "./ledger/ledger-entries.ts";
import { queryLedger, spentSince } from "./ledger/ledger-query.ts";
import { Repricings } from "./ledger/repricings.ts";
import { expensiveSessions, expensiveTurns, turnCosts, turnSpend } from "./ledger/turn-query.ts";
import { AuditTable } from "./people/audit-table.ts";
import { CredentialTable } from "./people/credential-table.ts";
import { LoginTable } from "./people/login-table.ts";
import { PeopleTables } from "./people/people-tables.ts";
import { ShareTable } from "./people/share-table.ts";
import { TokenTable } from "./people/token-table.ts";
import { PermissionTable } from "./permission-table.ts";
import { QueueTable } from "./queue-table.ts";
import { SearchIndex } from "./search-index.ts";
import { SessionKeyTable } from "./session-key-table.ts";
import { fromSessionRow, toSessionRow } from "./session-row.ts";
import { SettingsTable } from "./settings-table.ts";
import { SqliteSession } from "./sqlite-session.ts";

export interface SqliteStoreOptions {
  home: string;
  /** A log's segment is closed at the end of the turn in which it grew beyond this. */
  segmentBytes: number;
  /** Called when logs cannot be written, and with null when they can again. */
  onWriteError(error: Error | null): void;
  /** Called for each row of the database that cannot be read. */
  onUnreadable?: ReportUnreadable;
}

export class SqliteStore implements Store {
  readonly audit: AuditTable;
  readonly announcements: AnnouncementTable;
  readonly budgets: BudgetTable;
  readonly credentials: CredentialTable;
  readonly logins: LoginTable;
  readonly people: PeopleTables;
  readonly permissions: PermissionTable;
  readonly settings: SettingsTable;
  readonly shares: ShareTable;
  readonly tokens: TokenTable;
  readonly #db: Database;
  readonly #ledger: Ledger;
  readonly #writer: LogWriter;
  readonly #files = new OpenFiles();
  readonly #options: SqliteStoreOptions;
  readonly #queue: QueueTable;
  readonly #search: SearchIndex;
  readonly #imports: ImportTables;
  readonly #keys: SessionKeyTable;
  readonly #repricings: Repricings;
  readonly #lock: HomeLock;
  readonly #report: ReportUnreadable;

  private constructor(db: Database, lock: HomeLock, options: SqliteStoreOptions) {
    this.#db = db;
    this.#lock = lock;
    this.#ledger = new Ledger(db);
    this.#report = options.onUnreadable ?? (() => {});
    this.#queue = new QueueTable(db, this.#report);
    this.#search = new SearchIndex(db);
    this.#imports = new ImportTables(db);
    this.#keys = new SessionKeyTable(db);
    this.#repricings = new Repricings(db, this.#ledger);
    this.audit = new AuditTable(db);
    this.announcements = new AnnouncementTable(db);
    this.budgets = new BudgetTable(db, this.#report);
    this.credentials = new CredentialTable(db, this.#report);
    this.logins = new LoginTable(db);
    this.people = new PeopleTables(db, this.#report);
    this.permissions = new PermissionTable(db, this.#report);
    this.settings = new SettingsTable(db);
    this.shares = new ShareTable(db, this.#report);
    this.tokens = new TokenTable(db, this.#report);
    this.#writer = new LogWriter(options.onWriteError);
    this.#options = options;
  }

  static async open(options: SqliteStoreOptions): Promise<SqliteStore> {
    const lock = lockHome(options.home);
    const path = join(options.home, "patchbay.db");
    try {
      return new SqliteStore(await openDatabase(path), lock, options);
    } catch (error) {
      lock.release();
      throw new StartError(
        `The database ${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}. Restore a backup, or move the file away to start with an empty list. The logs of sessions stay in ${join(options.home, "sessions")}.`,
      );
    }
  }

  async createSession(record: SessionRecord, key?: SessionKey): Promise<void> {
    await this.#db.write(
      this.#db.query.insertInto("sessions").values(toSessionRow(record)).compile(),
      ...this.#keys.add(record.id, key),
      ...this.#imports.addAgentSession(record.id, record.agent_session),
    );
  }

  sessionOfKey(key: SessionKey): Promise<string | null> {
    return this.#keys.find(key);
  }

  forgetKeyOf(session: string): Promise<void> {
    return this.#keys.remove(session);
  }

  async deleteSession(id: string): Promise<void> {
    const { query } = this.#db;
    await this.#db.write(
      query.deleteFrom("sessions").where("id", "=", id).compile(),
      ...(["queue", "questions", "answers", "permissions", "shared_documents"] as const).map((table) =>
        query.deleteFrom(table).where("session", "=", id).compile(),
      ),
      query.deleteFrom("settings").where("name", "like", `session ${id} %`).compile(),
      ...this.#search.deleteSession(id),
    );
    this.#queue.forget(id);
    await rm(this.#directory(id), { recursive: true, force: true });
  }

  async listSessions(): Promise<SessionRecord[]> {
    const rows = await this.#db.query
      .selectFrom("sessions")
      .selectAll()
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return readableRows("sessions", rows, fromSessionRow, { nameOf: ({ id }) => id, report: this.#report });
  }

  async claim(session: string): Promise<OwnedSession> {
    return new SqliteSession(session, {
      db: this.#db,
      queue: this.#queue,
      imports: this.#imports,
      report: this.#report,
      openLog: () =>
        FileLog.open(this.#directory(session), this.#files, this.#writer, this.#options.segmentBytes),
    });
  }

  queuedSessions(): Promise<ReadonlySet<string>> {
    return this.#queue.sessions();
  }

  record(entries: readonly LedgerEntry[]): Promise<void> {
    return this.#ledger.record(entries);
  }

  recordImported(calls: readonly ImportedCall[]): Promise<ImportOutcome> {
    return this.#ledger.recordImported(calls, "write");
  }

  previewImported(calls: readonly ImportedCall[]): Promise<ImportOutcome> {
    return this.#ledger.recordImported(calls, "preview");
  }

  readFile(path: string): Promise<ReadFile | undefined> {
    return this.#imports.file(path);
  }

  saveReadFile(path: string, file: ReadFile): Promise<void> {
    return this.#imports.saveFile(path, file);
  }

  ownSince(agentSession: string): Promise<string | undefined> {
    return this.#imports.ownSince(agentSession);
  }

  ledgerPosition(session: string): Promise<number> {
    return this.#ledger.position(session);
  }

  async queryLedger(query: LedgerQuery): Promise<LedgerRow[]> {
    await this.#ledger.flushed();
    return queryLedger(this.#db, query);
  }

  ledgerSnapshot(query: LedgerQuery): Promise<LedgerSnapshot> {
    return this.#ledger.runExclusive(async () => {
      const upTo = this.#ledger.positions;
      return { rows: await queryLedger(this.#db, query), upTo };
    });
  }

  async ledgerEntries(...given: Parameters<Store["ledgerEntries"]>): ReturnType<Store["ledgerEntries"]> {
    await this.#ledger.flushed();
    return readEntries(this.#db, ...given);
  }

  reprice(...given: Parameters<Store["reprice"]>): ReturnType<Store["reprice"]> {
    return this.#repricings.reprice(...given);
  }

  listRepricings(limit: number): ReturnType<Store["listRepricings"]> {
    return this.#repricings.list(limit);
  }

  async spentSince(time: number): Promise<Map<string, LedgerSums>> {
    await this.#ledger.flushed();
    return spentSince(this.#db, time);
  }

  async expensiveTurns(query: TurnQuery, limit: number): Promise<TurnSpend[]> {
    await this.#ledger.flushed();
    return expensiveTurns(this.#db, query, limit);
  }

  async turnSpend(session: string, turn: number): Promise<LedgerSums> {
    return turnSpend(this.#db, session, turn);
  }

  async expensiveSessions(query: TurnQuery, limit: number): Promise<SessionSpend[]> {
    await this.#ledger.flushed();
    return expensiveSessions(this.#db, query, limit);
  }

  saveDelivery(delivery: Delivery): Promise<void> {
    return saveDelivery(this.#db, delivery);
  }

  deleteDelivery(id: string): Promise<void> {
    return deleteDelivery(this.#db, id);
  }

  deliveries(): Promise<Delivery[]> {
    return readDeliveries(this.#db);
  }

  async turnCosts(query: TurnQuery): Promise<TurnCostDistribution> {
    await this.#ledger.flushed();
    return turnCosts(this.#db, query);
  }

  index(updates: readonly SearchUpdate[]): Promise<void> {
    return this.#search.index(updates);
  }

  indexedUpTo(session: string): Promise<number> {
    return this.#search.upTo(session);
  }

  unindexed(): Promise<string[]> {
    return this.#search.unindexed();
  }

  search(query: SearchQuery): Promise<SearchHit[]> {
    return this.#search.search(query);
  }

  async close(): Promise<void> {
    await this.#ledger.flushed();
    await this.#db.close();
    this.#lock.release();
  }

  #directory(session: string): string {
    return join(this.#options.home, "sessions", session);
  }
}
