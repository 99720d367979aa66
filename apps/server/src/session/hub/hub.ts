// All sessions of this server. A session is opened on first use and unloaded when it has been at rest for a
// while; the list of sessions needs no open session.
import {
  type BudgetFrame,
  type CreateSession,
  changePrice,
  type ImportSource,
  noUsage,
  PatchbayError,
  type SessionInfo,
  type Usage,
} from "@patchbay/protocol";
import type { Config } from "../../config/config.ts";
import type { Budgets } from "../../costs/budgets/budgets.ts";
import type { PlanLimits } from "../../costs/plans/plan-limits.ts";
import type { Prices } from "../../costs/prices/prices.ts";
import type { Logger } from "../../diagnostics/logger.ts";
import type { Machine } from "../../machine/machine.ts";
import type { TurnEventListener } from "../../projections/turn-event.ts";
import { costChange, type PriceChange } from "../../store/ledger-types.ts";
import type { SessionKey } from "../../store/session-keys.ts";
import type { SessionRecord } from "../../store/session-record.ts";
import type { Store } from "../../store/store.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { Session } from "../session.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { viewOfClosed } from "../session-view.ts";
import type { WorkerPool } from "../worker/worker-pool.ts";
import { admit } from "./admission.ts";
import { newRecord } from "./new-record.ts";
import { SessionFiles } from "./session-files.ts";
import { Trash } from "./trash.ts";

type HubConfig = Pick<Config, "defaultWorker" | "limits">;

/** What is known of a session that is not open. */
interface Closed {
  /** As of when the session was last closed. */
  record: SessionRecord;
  usage: Usage;
}

/** The lifecycle of a session in this server. */
type Known =
  /** `problem`: why it could not be opened when last tried, for a person. */
  | (Closed & { is: "closed"; problem?: string })
  | (Closed & { is: "opening"; opened: Promise<Session> })
  | { is: "open"; session: Session }
  /** Callers of `open` wait until it is closed. */
  | (Closed & { is: "unloading"; unloaded: Promise<void> });

export interface HubOptions {
  store: Store;
  prices: Prices;
  budgets: Budgets;
  planLimits: PlanLimits;
  permissions: Permissions;
  machine: Machine;
  config: HubConfig;
  log: Logger;
  pool: WorkerPool | undefined;
  logProblem(): string | undefined;
  /** The person whose sessions without an owner are; undefined: this server has no people. */
  holder(): string | undefined;
  /** A session has changed, or was deleted. */
  changed(id: string): void;
}

/** Continues sessions of other programs. */
export interface SessionImporter {
  /** The record of a new session whose log begins with the imported conversation. */
  begin(
    imported: ImportSource,
    cwd: string,
    requested: Pick<CreateSession, "worker" | "name" | "model">,
  ): Promise<SessionRecord>;
}

export class Hub {
  readonly #options: HubOptions;
  readonly #known = new Map<string, Known>();
  readonly #trash = new Trash({
    delete: (id) => this.delete(id),
    failed: (err, session) => this.#options.log.warn({ session, err }, "a session could not be deleted"),
  });
  readonly #files: SessionFiles;
  readonly #turnListeners: TurnEventListener[] = [];
  #importer: SessionImporter | undefined;
  #closing = false;

  constructor(options: HubOptions) {
    this.#options = options;
    const { machine, log } = options;
    this.#files = new SessionFiles({
      machine,
      failed: (err, session) => log.warn({ session, err }, "a session's files could not be looked after"),
    });
  }

  get permissions(): Permissions {
    return this.#options.permissions;
  }

  /** Must be called before sessions are opened. Without a listener, sessions compute no events. */
  onTurnEvent(listener: TurnEventListener): void {
    this.#turnListeners.push(listener);
  }

  /** Without an importer, no session can be imported. */
  useImporter(importer: SessionImporter): void {
    this.#importer = importer;
  }

  /** Reads all sessions from the store. Opens those whose worker ran when the server died, which repairs them,
   * and those with waiting tasks, which a budget may allow to start. */
  async load(): Promise<void> {
    const { store, log } = this.#options;
    const waiting = await store.queuedSessions();
    const spent = new Map<string, Usage>();
    for (const { keys, usage } of await store.queryLedger({ groupBy: ["session"] }))
      spent.set(keys.session ?? "", usage);
    const records = await store.listSessions();
    for (const kept of records) {
      const project = kept.project ?? this.#files.projectOf(kept.cwd, records); // records of earlier versions have no project
      const record = project === undefined ? kept : { ...kept, project };
      this.#known.set(record.id, { is: "closed", record, usage: spent.get(record.id) ?? noUsage });
      if (record.deletes_at !== null) this.#trash.put(record.id, record.deletes_at);
      if (record.process === null && !(waiting.has(record.id) && record.deletes_at === null)) continue;
      await this.open(record.id).catch((error: unknown) => {
        log.warn({ session: record.id, err: error }, "a session could not be mended");
      });
    }
    for (const { record, turns } of this.openSessions) if (record.deletes_at === null) turns.resumeTracked();
  }

  /** `owner`: the id of the person whose it is; undefined: it is the token holder's. `key`: of the call that creates it. */
  async create(
    { import: imported, ...requested }: CreateSession,
    owner?: string,
    key?: SessionKey,
  ): Promise<Session> {
    if (this.#closing) throw new PatchbayError("going_away");
    const { store, machine, config, log } = this.#options;
    const files = this.#files;
    const kind = machine.workers.get(requested.worker ?? config.defaultWorker);
    const problem = machine.workers.problemWith(kind.name);
    const cwd = await machine.directories.find(requested.cwd);
    if (imported !== undefined && requested.worktree === true)
      throw new PatchbayError(
        "bad_request",
        "A session that continues one of another program must stay in its directory.",
      );
    if (imported === undefined && problem !== undefined)
      throw new PatchbayError("worker_unavailable", problem);
    const record =
      imported === undefined ? newRecord(kind, cwd, requested) : await this.#import(imported, cwd, requested);
    if (owner !== undefined) record.owner = owner;
    Object.assign(record, await files.place(record.id, cwd, requested.worktree === true, this.records()));
    await store.createSession(record, key).catch(async (error: unknown) => {
      await files.ended(record); // without a record, nothing would ever remove its worktree
      throw error;
    });
    files.began(record.id, record.cwd);
    this.#known.set(record.id, { is: "closed", record, usage: noUsage });
    const session = await this.open(record.id);
    // The worker starts before the first prompt, so that it is ready by then. A failure shows in the session.
    session.worker.ensure().catch((error: unknown) => {
      log.warn(
        { session: record.id, reason: error instanceof Error ? error.message : error },
        "worker failed",
      );
    });
    return session;
  }

  #import(...requested: Parameters<SessionImporter["begin"]>): Promise<SessionRecord> {
    if (this.#importer === undefined)
      throw new PatchbayError(
        "bad_request",
        "Importing sessions of other programs is turned off on this server.",
      );
    return this.#importer.begin(...requested);
  }

  /** Concurrent callers share one opening. */
  async open(id: string): Promise<Session> {
    const known = this.#find(id);
    switch (known.is) {
      case "open":
        return known.session;
      case "opening":
        return known.opened;
      case "unloading":
        await known.unloaded;
        return this.open(id);
      case "closed": {
        const { record, usage } = known;
        const opened = Promise.resolve().then(() => this.#open(record)); // runs after the state below is set
        this.#known.set(id, { is: "opening", record, usage, opened });
        return opened;
      }
    }
  }

  view(id: string): SessionInfo {
    return this.#viewOf(this.#find(id));
  }

  /** Like `view`; null when there is no such session. */
  find(id: string): SessionInfo | null {
    const known = this.#known.get(id);
    return known === undefined ? null : this.#viewOf(known);
  }

  /** Newest first, without those that are being deleted. */
  views(): SessionInfo[] {
    return this.#all().filter(({ deletes_at }) => deletes_at === undefined);
  }

  /** Sessions whose deletion can still be undone. */
  deleting(): SessionInfo[] {
    return this.#all().filter(({ deletes_at }) => deletes_at !== undefined);
  }

  #all(): SessionInfo[] {
    return [...this.#known.values()].toReversed().map((known) => this.#viewOf(known));
  }

  /** The sessions that are open now. */
  get openSessions(): Session[] {
    return [...this.#known.values()].flatMap((known) => (known.is === "open" ? known.session : []));
  }

  /**
   * Workers of this name are started in another way from now on. Pooled ones are replaced; those of idle sessions end, and
   * are started again when they are needed. Returns how many sessions keep theirs, because it is at work or cannot be restored.
   */
  async renewWorkers(name: string): Promise<{ kept: number }> {
    if (name === this.#options.config.defaultWorker) this.#options.pool?.renew();
    const sessions = this.openSessions.filter(
      ({ record, worker }) => record.worker === name && worker.is !== "empty",
    );
    const idle = sessions.filter(({ canPause }) => canPause);
    await Promise.all(idle.map(({ worker }) => worker.stop()));
    return { kept: sessions.length - idle.length };
  }

  /** Hides the session and ends its worker now; deletes it after `undoMs`, unless it is restored. */
  async deleteLater(id: string, undoMs: number): Promise<SessionInfo> {
    const deletes_at = new Date(Date.now() + undoMs).toISOString();
    const session = await this.#place(id, { deletes_at });
    this.#trash.put(id, deletes_at);
    await session?.stop();
    return this.view(id);
  }

  async restore(id: string): Promise<SessionInfo> {
    await this.#place(id, { deletes_at: null });
    this.#trash.take(id);
    return this.view(id);
  }

  /** Works for a session that cannot be opened, too: it can still be deleted. */
  async #place(id: string, change: Pick<SessionRecord, "deletes_at">): Promise<Session | undefined> {
    const session = await this.#openIfPossible(id);
    await this.#changeRecord(id, change);
    return session;
  }

  async #openIfPossible(id: string): Promise<Session | undefined> {
    try {
      return await this.open(id);
    } catch (error) {
      const known = this.#find(id);
      if (known.is !== "closed" || known.problem === undefined) throw error;
      return undefined;
    }
  }

  async delete(id: string): Promise<void> {
    const session = await this.#openIfPossible(id);
    const record = recordOf(this.#find(id));
    this.#trash.take(id);
    this.#known.delete(id);
    await session?.close("session_deleted");
    await this.#options.store.deleteSession(id);
    this.#options.permissions.sessionDeleted(id);
    await this.#files.ended(record);
    this.#options.changed(id);
  }

  /** A budget has changed: tasks it held back may start, and the sessions it concerns log the notice. */
  budgetChanged(
    concerned: readonly string[],
    notice: Pick<BudgetFrame, "event" | "budget" | "message">,
  ): void {
    for (const session of this.openSessions) {
      if (concerned.includes(session.id)) session.projections.spending.note(notice);
      this.resumeHeld(session);
    }
  }

  /** Budgets allow others, or other things, than before: workers learn whether they must ask before each model call. */
  limitsChanged(): void {
    for (const session of this.openSessions) session.limitsChanged();
  }

  /** Reserved room was given back: tasks that it held back may start. */
  roomGivenBack(sessions: readonly string[]): void {
    for (const session of this.openSessions) if (sessions.includes(session.id)) this.resumeHeld(session);
  }

  /** Starts tasks that a budget held back, if it allows them now; not in a session that is being deleted. */
  resumeHeld(session: Session): void {
    if (session.record.deletes_at === null) session.turns.resumeHeld();
  }

  /** Resolves when the ledger has every call that viewers have seen, so that a query after it includes them. */
  async spendingWritten(): Promise<void> {
    await Promise.all(this.openSessions.map((session) => session.projections.spending.written()));
  }

  /** Ledger entries were repriced: the sums of their sessions follow. */
  repriced(changes: readonly PriceChange[]): void {
    for (const priced of changes) {
      const known = this.#known.get(priced.entry.session);
      if (known === undefined) continue;
      const change = costChange(priced);
      if (known.is === "open") known.session.projections.spending.repriced(change);
      else known.usage = changePrice(known.usage, change);
    }
  }

  /** Closes a session that is at rest; `open` opens it again. */
  async unload(session: Session): Promise<void> {
    const { id } = session;
    const known = this.#find(id);
    if (known.is !== "open" || known.session !== session || !session.isAtRest) return;
    const { usage, seq } = session.view();
    const record = { ...session.record, seq, ...session.progress };
    const unloaded = session.close("going_away").finally(() => {
      const { usage, record } = this.#closed(id);
      this.#known.set(id, { is: "closed", record, usage });
    });
    this.#known.set(id, { is: "unloading", record, usage, unloaded });
    await unloaded;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#trash.close();
    const sessions = [...this.#known.values()].map(async (known) => {
      if (known.is === "unloading") await known.unloaded;
      if (known.is === "opening") await (await known.opened.catch(() => undefined))?.close("going_away");
      if (known.is === "open") await known.session.close("going_away");
    });
    await Promise.all([...sessions, this.#options.pool?.close()]);
  }

  /** For a second signal: kills at once, without the termination ladder. */
  killWorkers(): void {
    for (const session of this.openSessions) session.worker.kill();
    this.#options.pool?.kill();
  }

  /** When it settles, the session is open or closed. */
  async #open(record: SessionRecord): Promise<Session> {
    const { id } = record;
    try {
      if (this.#closing) throw new PatchbayError("going_away");
      // Earlier versions did not look for the project of a worktree that a person made.
      const project = record.project ?? (await this.#files.findProject(record.cwd));
      const found = project === undefined ? record : { ...record, project };
      const session = await Session.open(found, () => this.#closed(id).usage, this.#dependencies(found));
      session.audience.onSessionLine = () => this.#options.changed(id);
      this.#known.set(id, { is: "open", session });
      return session;
    } catch (error) {
      const closed = this.#closed(id);
      if (error instanceof PatchbayError) {
        this.#known.set(id, { is: "closed", ...closed });
        throw error;
      }
      // One unreadable session must not stop the server: the problem is shown in its place.
      this.#options.log.error({ session: id, err: error }, "a session could not be opened");
      const why = error instanceof Error ? error.message : String(error);
      const problem = `This session cannot be opened: ${why}. Its files are kept.`;
      this.#known.set(id, { is: "closed", ...closed, problem });
      this.#options.changed(id);
      throw new PatchbayError("internal", problem);
    }
  }

  #closed(id: string): Closed {
    const known = this.#find(id);
    if (known.is === "open") throw new Error(`session ${id} is open`); // only called between open and closed
    return { record: known.record, usage: known.usage };
  }

  #dependencies(record: SessionRecord): SessionDependencies {
    const { store, prices, budgets, planLimits, permissions, machine } = this.#options;
    const { config, log, pool, logProblem, holder } = this.#options;
    return {
      store,
      prices,
      budgets,
      planLimits,
      permissions,
      limits: config.limits,
      machine,
      kind: machine.workers.get(record.worker),
      log,
      pool,
      turnEvents: this.#turnListener,
      logProblem,
      holder,
      admit: () => admit(record, this.openSessions, config.limits),
    };
  }

  get #turnListener(): TurnEventListener | undefined {
    const [first, ...others] = this.#turnListeners;
    if (first === undefined || others.length === 0) return first;
    return (event) => {
      for (const listener of this.#turnListeners) listener(event);
    };
  }

  /** The records of all sessions. */
  records(): SessionRecord[] {
    return [...this.#known.values()].map(recordOf);
  }

  /** Whose the session is; undefined: there is none of this id. */
  rightsOf(id: string): Pick<SessionRecord, "owner" | "access"> | undefined {
    const known = this.#known.get(id);
    return known === undefined ? undefined : recordOf(known);
  }

  /** Throws when there is no such session. */
  record(id: string): SessionRecord {
    return recordOf(this.#find(id));
  }

  /** Changes whose the session is, and who else may do what. */
  async share(id: string, change: Pick<Partial<SessionRecord>, "owner" | "access">): Promise<SessionInfo> {
    await this.#changeRecord(id, change);
    return this.view(id);
  }

  /** Ends the workers of a person's sessions; undefined: of the holder of the token. The sessions stay. */
  async stopSessionsOf(owner: string | undefined): Promise<void> {
    const theirs = this.openSessions.filter(({ record }) => record.owner === owner);
    await Promise.all(theirs.map((session) => session.stop()));
  }

  /** Does not open a session that is closed. */
  async #changeRecord(
    id: string,
    change: Pick<Partial<SessionRecord>, "deletes_at" | "owner" | "access">,
  ): Promise<void> {
    const known = this.#find(id);
    if (known.is === "unloading") {
      await known.unloaded;
      return this.#changeRecord(id, change);
    }
    if (known.is === "open") return known.session.place(change);
    if (known.is === "opening") {
      await known.opened.catch(() => {}); // it is closed again then
      return this.#changeRecord(id, change);
    }
    await (await this.#options.store.claim(id)).update(change);
    known.record = { ...known.record, ...change };
    this.#options.changed(id);
  }

  #viewOf(known: Known): SessionInfo {
    if (known.is === "open") return known.session.view();
    const problem = known.is === "closed" ? known.problem : undefined;
    return viewOfClosed(known.record, known.usage, { problem, holder: this.#options.holder() });
  }

  #find(id: string): Known {
    const known = this.#known.get(id);
    if (known === undefined) throw new PatchbayError("no_such_session");
    return known;
  }
}

const recordOf = (known: Known): SessionRecord => (known.is === "open" ? known.session.record : known.record);
