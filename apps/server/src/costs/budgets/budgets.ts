// All budgets of this server. Each call is counted here synchronously, as soon as its cost is known: concurrent prompts cannot
// pass a limit together. Counting starts from the ledger, so it survives a restart.
import { randomUUID } from "node:crypto";
import {
  type Budget,
  type BudgetChange,
  type BudgetEvent,
  type BudgetFrame,
  type BudgetGrant,
  type BudgetTerms,
  makesRoom,
  PatchbayError,
  toNanoDollars,
} from "@patchbay/protocol";
import type { SavedBudget } from "../../store/budget-store.ts";
import { isImported } from "../../store/imported.ts";
import type { LedgerEntry, PriceChange } from "../../store/ledger-types.ts";
import * as messages from "./budget-messages.ts";
import { describeStatus } from "./describe-status.ts";
import { eventOf, placeOf } from "./events.ts";
import { forecastTargets } from "./forecast.ts";
import { normalizeTerms, requireAbsolutePath } from "./normalize-terms.ts";
import { openTally } from "./open-tally.ts";
import type { BudgetsOptions } from "./options.ts";
import { type Spender, spentBy, type Tally, type TargetStatus } from "./tally.ts";
import { UnwrittenEntries } from "./unwritten-entries.ts";

interface OpenBudget {
  id: string;
  source: Budget["source"];
  created_at: string | null;
  created_by: string;
  tally: Tally;
  /** Sessions that this budget stopped or refused, and that were not notified of a change since. */
  affected: Set<string>;
  /** Sessions whose refusal is recorded. One record for each is enough. */
  refused: Set<string>;
}

/** A hard budget that has reached its limit. */
export interface Stop {
  budget: string;
  message: string;
}

type BudgetEventListener = (event: BudgetEvent, budget: Budget) => void;
type BudgetNotice = Pick<BudgetFrame, "event" | "budget" | "message">;

export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #budgets = new Map<string, OpenBudget>();
  readonly #unwritten = new UnwrittenEntries();
  readonly #eventListeners: BudgetEventListener[] = [];
  #listener: (sessions: readonly string[], notice: BudgetNotice) => void = () => {};

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /** A budget changed or was granted more. The listener notifies the sessions that it had stopped or refused. */
  onChange(listener: (sessions: readonly string[], notice: BudgetNotice) => void): void {
    this.#listener = listener;
  }

  /** Called for every event of every budget. */
  onEvent(listener: BudgetEventListener): void {
    this.#eventListeners.push(listener);
  }

  /** Counts past spending. Called once, before any session runs. */
  async load(): Promise<void> {
    for (const given of this.#options.configured) {
      const terms = normalizeTerms(given, this.#options.realPath);
      await this.#open(
        { id: `config:${terms.name}`, source: "config", created_at: null, created_by: "config" },
        terms,
      );
    }
    for (const { terms, ...saved } of await this.#options.store.budgets.list())
      await this.#open({ ...saved, source: "api" }, normalizeTerms(terms, this.#options.realPath));
  }

  // These are called while agents work, and must not wait.

  /** Returns the budget that prevents a turn of this session; undefined: the turn may start. */
  refusal(spender: Spender): Stop | undefined {
    const now = Date.now();
    for (const open of this.#budgets.values()) {
      const { tally, id } = open;
      const { kind, period } = tally.terms;
      // A budget of period "turn" starts at zero with each turn.
      const target = kind === "hard" && period !== "turn" ? tally.targetOf(spender) : undefined;
      if (target === undefined) continue;
      const status = tally.status(target, now);
      if (status.state !== "over") continue;
      const message = messages.refusal(tally.terms, status);
      const isNew = !open.refused.has(spender.session);
      open.affected.add(spender.session);
      open.refused.add(spender.session);
      if (isNew) this.#record(open, "refused", status, { session: spender.session, message });
      return { budget: id, message };
    }
    return undefined;
  }

  turnBegan(session: string): void {
    for (const { tally } of this.#budgets.values()) tally.turnBegan(session);
  }

  /** Counts a call. Returns the notices for its session, and the budget that stops it. */
  spend(entry: LedgerEntry): { notices: BudgetNotice[]; stop: Stop | undefined } {
    this.#unwritten.add(entry);
    const notices: BudgetNotice[] = [];
    let stop: Stop | undefined;
    for (const open of this.#budgets.values()) {
      const { tally, id: budget } = open;
      const target = tally.targetOf(entry);
      const result =
        target === undefined ? undefined : tally.add(target, Date.parse(entry.time), spentBy(entry));
      if (result === undefined) continue;
      const { status, crossed } = result;
      const { terms } = tally;
      const stops = terms.kind === "hard" && status.state === "over";
      if (crossed !== null) {
        const about = stops
          ? messages.stopping
          : crossed === "warned"
            ? messages.warning
            : messages.softlyExceeded;
        const message = about(terms, status);
        this.#record(open, crossed, status, { session: entry.session, message });
        if (!stops) notices.push({ event: crossed, budget, message });
      }
      if (stops) stop ??= { budget, message: messages.stopping(terms, status) };
    }
    return { notices, stop };
  }

  /** Records that a running turn was stopped. */
  stopped(spender: Spender, { budget, message }: Stop): void {
    const open = this.#budgets.get(budget);
    const target = open?.tally.targetOf(spender);
    if (open === undefined || target === undefined) return;
    open.affected.add(spender.session);
    const status = open.tally.status(target, Date.now());
    this.#record(open, "stopped", status, { session: spender.session, message });
  }

  /** The ledger has the session's entries up to this number. */
  written(session: string, seq: number): void {
    this.#unwritten.written(session, seq);
  }

  repriced(changes: readonly PriceChange[]): void {
    for (const { entry, cost_nanos, price } of changes) {
      if (isImported(entry.worker)) continue;
      const [before, after] = [spentBy(entry), spentBy({ cost_nanos, price })];
      const difference = { nanos: after.nanos - before.nanos, unpriced: after.unpriced - before.unpriced };
      for (const { tally } of this.#budgets.values()) {
        const target = tally.terms.period === "turn" ? undefined : tally.targetOf(entry);
        if (target !== undefined) tally.adjust(target, Date.parse(entry.time), difference);
      }
    }
  }

  /** All budgets, with a forecast for each status. */
  async listWithForecasts(): Promise<Budget[]> {
    const now = Date.now();
    return Promise.all(
      [...this.#budgets.values()].map(async (open) => {
        const statuses = open.tally.statuses(now).slice(0, shownTargets);
        const forecasts = await forecastTargets(this.#options.store, open.tally, statuses, now);
        const budget = this.#describe(open, statuses);
        return {
          ...budget,
          status: budget.status.map((status) => ({ ...status, ...forecasts.get(status.target) })),
        };
      }),
    );
  }

  /** The budgets that apply to a session, each with the session's own status. */
  listFor(spender: Spender): Budget[] {
    return [...this.#budgets.values()].flatMap((open) => {
      const target = open.tally.targetOf(spender);
      return target === undefined ? [] : [this.#describe(open, [open.tally.status(target, Date.now())])];
    });
  }

  async create(given: BudgetTerms, by: string): Promise<Budget> {
    requireAbsolutePath(given);
    const saved: SavedBudget = {
      id: randomUUID(),
      terms: normalizeTerms(given, this.#options.realPath),
      created_at: new Date().toISOString(),
      created_by: by,
    };
    const message = `The budget "${saved.terms.name}" was created.`;
    const event = eventOf(saved.id, "created", { by, message, amount_usd: saved.terms.limit_usd });
    await this.#options.store.budgets.save(saved, event);
    const { terms, ...rest } = saved;
    const opened = await this.#open({ ...rest, source: "api" }, terms);
    this.#publish(event, opened);
    return this.#describe(opened);
  }

  async change(id: string, { reason = "", ...change }: BudgetChange, by: string): Promise<Budget> {
    const open = this.#find(id);
    if (open.source === "config" || open.created_at === null) throw new PatchbayError("read_only");
    const before = open.tally.terms;
    const terms: BudgetTerms = {
      ...before,
      name: change.name ?? before.name,
      limit_usd: change.limit_usd ?? before.limit_usd,
      kind: change.kind ?? before.kind,
      warn_percent: change.warn_percent ?? before.warn_percent,
    };
    if (makesRoom(before, terms)) requireReason(reason, "give a budget more room");
    const message = messages.changed(before, terms, reason);
    const event = eventOf(id, "changed", { by, reason, message, amount_usd: terms.limit_usd });
    const { created_at, created_by } = open;
    await this.#options.store.budgets.save({ id, terms, created_at, created_by }, event);
    open.tally.change(terms);
    this.#notifyAffected(open, event, "changed");
    return this.#describe(open);
  }

  async remove(id: string, reason: string, by: string): Promise<void> {
    const open = this.#find(id);
    if (open.source === "config") throw new PatchbayError("read_only");
    const { terms } = open.tally;
    if (terms.kind === "hard") requireReason(reason, "delete a budget that stops agents");
    const event = eventOf(id, "deleted", { by, reason, message: messages.deleted(terms, reason) });
    await this.#options.store.budgets.remove(id, event);
    this.#budgets.delete(id);
    this.#notifyAffected(open, event, "changed");
  }

  /** Raises the limit for one target, in this period only. */
  async grant(id: string, { amount_usd, reason, target }: BudgetGrant, by: string): Promise<Budget> {
    const open = this.#find(id);
    const { tally } = open;
    const { terms } = tally;
    if (terms.period === "turn")
      throw new PatchbayError(
        "bad_request",
        "This budget applies to each turn, so nothing can be granted once. Raise its limit instead.",
      );
    const only = terms.scope === "everything" ? "" : terms.target;
    const whose = only ?? target;
    if (whose === undefined)
      throw new PatchbayError(
        "bad_request",
        `This budget applies to each ${terms.scope} separately. Name one as "target".`,
      );
    const status = tally.status(whose, Date.now());
    const nanos = toNanoDollars(amount_usd);
    const message = messages.granted(terms, nanos, reason);
    const event = eventOf(id, "granted", { by, reason, message, amount_usd, ...placeOf(status) });
    await this.#options.store.budgets.add(event);
    tally.grant(whose, nanos);
    this.#notifyAffected(open, event, "granted");
    return this.#describe(open);
  }

  events(budget: string | undefined, limit: number): Promise<BudgetEvent[]> {
    return this.#options.store.budgets.events({ budget, limit });
  }

  #find(id: string): OpenBudget {
    const open = this.#budgets.get(id);
    if (open === undefined) throw new PatchbayError("not_found", "This budget does not exist.");
    return open;
  }

  async #open(
    about: Omit<OpenBudget, "tally" | "affected" | "refused">,
    terms: BudgetTerms,
  ): Promise<OpenBudget> {
    const tally = await openTally(this.#options.store, this.#unwritten, about.id, terms);
    const open = { ...about, tally, affected: new Set<string>(), refused: new Set<string>() };
    this.#budgets.set(about.id, open);
    return open;
  }

  #describe(
    { tally, affected: _affected, refused: _refused, ...about }: OpenBudget,
    statuses?: readonly TargetStatus[],
  ): Budget {
    const all = statuses ?? tally.statuses(Date.now()).slice(0, shownTargets);
    return { ...about, ...tally.terms, status: all.map(describeStatus) };
  }

  #notifyAffected(open: OpenBudget, event: BudgetEvent, how: "granted" | "changed"): void {
    this.#publish(event, open);
    const sessions = [...open.affected];
    open.affected.clear();
    open.refused.clear();
    this.#listener(sessions, { event: how, budget: open.id, message: event.message });
  }

  #record(
    open: OpenBudget,
    event: "warned" | "exceeded" | "refused" | "stopped",
    status: TargetStatus,
    { session, message }: { session: string; message: string },
  ): void {
    const about = { by: "", session, message, amount_usd: status.nanos / 1e9, ...placeOf(status) };
    const made = eventOf(open.id, event, about);
    this.#publish(made, open, [status]);
    this.#options.store.budgets.add(made).catch((err: unknown) => {
      this.#options.log.warn({ err, budget: open.id }, "an event of a budget could not be saved");
    });
  }

  #publish(event: BudgetEvent, open: OpenBudget, statuses?: readonly TargetStatus[]): void {
    const { message, ...details } = event;
    this.#options.log.info({ budget_event: details }, message);
    if (this.#eventListeners.length === 0) return;
    const budget = this.#describe(open, statuses);
    for (const listener of this.#eventListeners) listener(event, budget);
  }
}

function requireReason(reason: string, what: string): void {
  if (reason === "")
    throw new PatchbayError("bad_request", `reason: enter a reason to ${what}. It is kept with the budget.`);
}

/** A budget without a target has one status per session, project or person. More than this is too long to read. */
const shownTargets = 20;
