// All sessions of this server. A session is opened when somebody wants it and closed again when it has
// been at rest for a while; what a list needs is known without opening it.
import {
  type BudgetFrame,
  type CreateSession,
  changePrice,
  type ImportProgram,
  isUnpriced,
  noUsage,
  PatchbayError,
  type Session as SessionView,
  type Usage,
} from "@patchbay/protocol";
import type { Config } from "../config/config.ts";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Logger } from "../diagnostics/logger.ts";
import type { Profiles } from "../machine/profiles/profiles.ts";
import type { TurnEventListener } from "../projections/turn-event.ts";
import type { PriceChange } from "../store/ledger-types.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { admit } from "./admission.ts";
import { allowedDirectory } from "./directories.ts";
import { SessionImports } from "./import-session.ts";
import { newRecord } from "./new-record.ts";
import { Session } from "./session.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import type { SessionFiles } from "./session-files.ts";
import { viewOfClosed } from "./session-view.ts";
import { Trash } from "./trash.ts";
import type { WorkerPool } from "./worker/worker-pool.ts";

type HubConfig = Pick<Config, "cwd" | "directories" | "defaultWorker" | "limits" | "environment">;

interface Known {
  /** As of when the session was last closed. */
  record: SessionRecord;
  usage: Usage;
  opening?: Promise<Session>;
  session?: Session;
  /** It is being put away; whoever wants it waits. */
  closing?: Promise<void>;
  /** Why it could not be opened when last tried, for a person. */
  problem?: string;
}

export interface HubOptions {
  store: Store;
  prices: Prices;
  budgets: Budgets;
  profiles: Profiles;
  config: HubConfig;
  log: Logger;
  pool: WorkerPool | undefined;
  files: SessionFiles;
  /** What the tags of this server's workers begin with. */
  owner: string;
  /** Gets what happens in sessions; absent where no integration listens. */
  turnEvents?: TurnEventListener | undefined;
  trouble(): string | undefined;
  /** Something about a session is another than before, or it is gone. */
  changed(id: string): void;
  /** Enters what another program's session file says was spent. */
  importCosts(program: ImportProgram, path: string): Promise<void>;
}

export class Hub {
  readonly #options: HubOptions;
  readonly #known = new Map<string, Known>();
  readonly #trash = new Trash({
    delete: (id) => this.delete(id),
    failed: (err, session) => this.#options.log.warn({ session, err }, "a session could not be deleted"),
  });
  /** Sessions that other programs left. */
  readonly imports: SessionImports;
  #closing = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.imports = new SessionImports(options, () => this.#records());
  }

  /** Reads what there is. Sessions whose worker was alive when the server died are mended at once,
   * and those in which something waits are open, because a budget may let it begin. */
  async load(): Promise<void> {
    const { store, log, files } = this.#options;
    const waiting = await store.sessionsThatWait();
    const spent = new Map<string, Usage>();
    for (const { keys, usage } of await store.queryLedger({ groupBy: ["session"] }))
      spent.set(keys.session ?? "", usage);
    const records = await store.listSessions();
    for (const kept of records) {
      const project = kept.project ?? files.projectOf(kept.cwd, records); // one from before projects were noted
      const record = project === undefined ? kept : { ...kept, project };
      this.#known.set(record.id, { record, usage: spent.get(record.id) ?? noUsage });
      if (record.deletes_at !== null) this.#trash.put(record.id, record.deletes_at);
      if (record.process === null && !(waiting.has(record.id) && record.deletes_at === null)) continue;
      await this.open(record.id).catch((error: unknown) => {
        log.warn({ session: record.id, err: error }, "a session could not be mended");
      });
    }
  }

  async create({ import: imported, ...wish }: CreateSession): Promise<Session> {
    if (this.#closing) throw new PatchbayError("going_away");
    const { store, profiles, config, log, files } = this.#options;
    const cwd = allowedDirectory(wish.cwd, config);
    const profile = profiles.get(wish.worker ?? config.defaultWorker);
    const problem = profiles.problemWith(profile);
    if (imported !== undefined && wish.worktree === true)
      throw new PatchbayError(
        "bad_request",
        "A session that goes on from another program stays in its directory.",
      );
    if (imported === undefined && problem !== undefined)
      throw new PatchbayError("worker_unavailable", problem);
    const record =
      imported === undefined ? newRecord(profile, cwd, wish) : await this.imports.begin(imported, cwd, wish);
    Object.assign(record, await files.place(record.id, cwd, wish.worktree === true, this.#records()));
    await store.createSession(record).catch(async (error: unknown) => {
      await files.ended(record); // its worktree belongs to nobody
      throw error;
    });
    files.began(record.id, record.cwd);
    this.#known.set(record.id, { record, usage: noUsage });
    const session = await this.open(record.id);
    // Started before the first prompt, so that it is ready by then. A failure shows in the session.
    session.worker.ensure().catch((error: unknown) => {
      log.warn(
        { session: record.id, reason: error instanceof Error ? error.message : error },
        "worker failed",
      );
    });
    return session;
  }

  /** Concurrent callers share one opening. */
  async open(id: string): Promise<Session> {
    const known = this.#find(id);
    await known.closing;
    if (known.session !== undefined) return known.session;
    known.opening ??= this.#open(known)
      .catch((error: unknown) => this.#cannotOpen(known, error))
      .finally(() => {
        delete known.opening;
      });
    return known.opening;
  }

  view(id: string): SessionView {
    return viewOf(this.#find(id));
  }

  /** As `view`, of a session that may be gone. */
  find(id: string): SessionView | null {
    const known = this.#known.get(id);
    return known === undefined ? null : viewOf(known);
  }

  /** Newest first, without those that are being deleted. */
  views(): SessionView[] {
    return this.#all().filter(({ deletes_at }) => deletes_at === undefined);
  }

  /** Those that can still be had back. */
  deleting(): SessionView[] {
    return this.#all().filter(({ deletes_at }) => deletes_at !== undefined);
  }

  #all(): SessionView[] {
    return [...this.#known.values()].toReversed().map(viewOf);
  }

  /** The sessions that are open now. */
  get openSessions(): Session[] {
    return [...this.#known.values()].flatMap(({ session }) => session ?? []);
  }

  /** Out of sight and its worker ended now; gone after `undoMs`, unless it is restored. */
  async deleteLater(id: string, undoMs: number): Promise<SessionView> {
    const deletes_at = new Date(Date.now() + undoMs).toISOString();
    const session = await this.#place(id, { deletes_at });
    this.#trash.put(id, deletes_at);
    await session?.stop();
    return this.view(id);
  }

  async restore(id: string): Promise<SessionView> {
    await this.#place(id, { deletes_at: null });
    this.#trash.take(id);
    return this.view(id);
  }

  /** Also of one that cannot be opened: it can still be deleted. */
  async #place(id: string, change: Pick<SessionRecord, "deletes_at">): Promise<Session | undefined> {
    const known = this.#find(id);
    const session = await this.#openIfPossible(id);
    if (session !== undefined) await session.place(change);
    else {
      await this.#options.store.updateSession(id, change);
      known.record = { ...known.record, ...change };
      this.#options.changed(id);
    }
    return session;
  }

  async #openIfPossible(id: string): Promise<Session | undefined> {
    try {
      return await this.open(id);
    } catch (error) {
      if (this.#find(id).problem === undefined) throw error;
      return undefined;
    }
  }

  async delete(id: string): Promise<void> {
    const session = await this.#openIfPossible(id);
    const record = session?.record ?? this.#find(id).record;
    this.#trash.take(id);
    this.#known.delete(id);
    await session?.close("session_deleted");
    await this.#options.store.deleteSession(id);
    await this.#options.files.ended(record);
    this.#options.changed(id);
  }

  /** A budget has changed: what it held back may start, and those it concerned learn why. */
  budgetChanged(concerned: readonly string[], told: Pick<BudgetFrame, "event" | "budget" | "message">): void {
    for (const session of this.openSessions) {
      if (concerned.includes(session.id)) session.projections.spending.note(told);
      this.unhold(session);
    }
  }

  /** What a budget held may start, if it lets it now; not in a session that is being deleted. */
  unhold(session: Session): void {
    if (session.record.deletes_at === null) session.turns.unhold();
  }

  /** What sessions have spent so far is in the ledger: whoever saw a call can ask what it cost. */
  async spendingWritten(): Promise<void> {
    await Promise.all(this.openSessions.map((session) => session.projections.spending.written()));
  }

  /** Entries of the ledger cost something else from now on, and so do the sessions they are of. */
  repriced(changes: readonly PriceChange[]): void {
    for (const { entry, cost_micros, price } of changes) {
      const known = this.#known.get(entry.session);
      if (known === undefined) continue;
      const unpriced = Number(isUnpriced(price)) - Number(isUnpriced(entry.price));
      const change = { cost_micros: cost_micros - entry.cost_micros, unpriced };
      if (known.session === undefined) known.usage = changePrice(known.usage, change);
      else known.session.projections.spending.repriced(change);
    }
  }

  /** Closes a session that is at rest; it is opened again when somebody wants it. */
  async unload(session: Session): Promise<void> {
    const known = this.#find(session.id);
    if (known.session !== session || !session.isAtRest) return;
    const { usage, seq, message_count } = session.view();
    delete known.session;
    known.record = { ...session.record, seq, message_count };
    known.usage = usage;
    known.closing = session.close("going_away").finally(() => {
      delete known.closing;
    });
    await known.closing;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#trash.close();
    const sessions = [...this.#known.values()].map(async ({ opening, session, closing }) => {
      await closing;
      await ((await opening?.catch(() => undefined)) ?? session)?.close("going_away");
    });
    await Promise.all([...sessions, this.#options.pool?.close()]);
  }

  /** For a second signal: without the steps of a usual stop. */
  killWorkers(): void {
    for (const session of this.openSessions) session.worker.kill();
    this.#options.pool?.kill();
  }

  async #open(known: Known): Promise<Session> {
    if (this.#closing) throw new PatchbayError("going_away");
    const { record, usage } = known;
    known.session = await Session.open(record, usage, this.#dependencies(record));
    delete known.problem;
    known.session.audience.onSessionLine = () => this.#options.changed(record.id);
    return known.session;
  }

  /** The others are served all the same, and this one says why it is not. */
  #cannotOpen(known: Known, error: unknown): never {
    if (error instanceof PatchbayError) throw error;
    const { id } = known.record;
    this.#options.log.error({ session: id, err: error }, "a session could not be opened");
    const why = error instanceof Error ? error.message : String(error);
    known.problem = `This session cannot be opened: ${why}. Its files are kept.`;
    this.#options.changed(id);
    throw new PatchbayError("internal", known.problem);
  }

  #dependencies(record: SessionRecord): SessionDependencies {
    const { store, prices, budgets, profiles, config, log, pool, owner, turnEvents, trouble } = this.#options;
    const profile = profiles.get(record.worker);
    const environment = profiles.environmentOf(profile);
    return {
      store,
      prices,
      budgets,
      limits: config.limits,
      profile,
      environment,
      owner,
      log,
      pool,
      turnEvents,
      trouble,
      admit: () => admit(record, this.openSessions, config.limits),
    };
  }

  #records(): SessionRecord[] {
    return [...this.#known.values()].map(({ session, record }) => session?.record ?? record);
  }

  #find(id: string): Known {
    const known = this.#known.get(id);
    if (known === undefined) throw new PatchbayError("no_such_session");
    return known;
  }
}

const viewOf = ({ session, record, usage, problem }: Known): SessionView =>
  session?.view() ?? viewOfClosed(record, usage, problem);
