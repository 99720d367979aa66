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
import { type Reservation, Reservations, type Stop } from "./reservations.ts";
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

/** A model call that a session wants to make. */
export interface CallRequest {
  spender: Spender;
  provider: string;
  model: string;
  /** What it costs will be known. */
  priced: boolean;
  /** The expected cost. */
  nanos: number;
}

/** `waiting`: another decision follows, when running calls are over. */
export type CallDecision =
  | { is: "allowed" }
  | { is: "waiting"; message: string }
  | { is: "denied"; stop: Stop };

interface WaitingCall {
  call: CallRequest;
  answer(decision: CallDecision): void;
}

type BudgetEventListener = (event: BudgetEvent, budget: Budget) => void;
type BudgetNotice = Pick<BudgetFrame, "event" | "budget" | "message">;

export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #budgets = new Map<string, OpenBudget>();
  readonly #unwritten = new UnwrittenEntries();
  readonly #eventListeners: BudgetEventListener[] = [];
  readonly #reservations = new Reservations();
  /** Calls that wait for running ones, oldest first; one per session. */
  #waiting: WaitingCall[] = [];
  /** Sessions whose turn was not started because of reservations. */
  readonly #crowdedOut = new Set<string>();
  #listener: (sessions: readonly string[], notice: BudgetNotice) => void = () => {};
  #hasRoom: (sessions: readonly string[]) => void = () => {};
  #limitsChanged: () => void = () => {};

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /** A budget changed or was granted more. The listener notifies the sessions that it had stopped or refused. */
  onChange(listener: (sessions: readonly string[], notice: BudgetNotice) => void): void {
    this.#listener = listener;
  }

  /** Reservations were given back, for which turns of these sessions did not start. */
  onRoom(hasRoom: (sessions: readonly string[]) => void): void {
    this.#hasRoom = hasRoom;
  }

  /** Calls of other sessions than before may need permits now. */
  onLimitsChanged(limitsChanged: () => void): void {
    this.#limitsChanged = limitsChanged;
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

  /** There is none at all, so every question about a session can be answered without looking. */
  get isEmpty(): boolean {
    return this.#budgets.size === 0;
  }

  /**
   * Returns the budget that prevents a turn of this session; undefined: the turn may start. `asks`: its agent asks before each
   * call, so the turn needs no room yet. `unpriced`: a model whose last call had no known price.
   */
  refusal(
    spender: Spender,
    {
      asks = true,
      unpriced,
    }: { asks?: boolean; unpriced?: { provider: string; model: string } | undefined } = {},
  ): Stop | undefined {
    const { session } = spender;
    for (const { open, target, status } of this.#hardLimits(spender)) {
      const { terms } = open.tally;
      const isTurn = terms.period === "turn"; // starts at zero with each turn
      const isOver = status.state === "over" && !isTurn;
      if (isOver || (unpriced !== undefined && terms.unpriced === "refuse")) {
        const message =
          isOver || unpriced === undefined
            ? messages.refusal(terms, status)
            : `Not started: ${messages.unpricedModel(terms, unpriced)}`;
        const isNew = !open.refused.has(session);
        open.affected.add(session);
        open.refused.add(session);
        if (isNew) this.#record(open, "refused", status, { session, message });
        return { budget: open.id, message };
      }
      if (asks || isTurn || !this.#isCrowded(open, target, status, session)) continue;
      this.#crowdedOut.add(session);
      return { budget: open.id, message: messages.crowded(terms) };
    }
    return undefined;
  }

  turnBegan(session: string): void {
    for (const { tally } of this.#budgets.values()) tally.turnBegan(session);
  }

  /** Whether a hard budget applies to the session: its model calls need permits. */
  limits(spender: Spender): boolean {
    return this.#hardLimits(spender).length > 0;
  }

  /** Decides about a model call, and reserves its expected cost. While others use what is left, it waits. */
  requestCall(call: CallRequest, answer: (decision: CallDecision) => void): void {
    const { session } = call.spender;
    this.#drop(session); // a worker makes one call at a time, so an earlier one is over
    const decision = this.#decide(call);
    if (decision.is === "waiting") this.#waiting.push({ call, answer });
    answer(decision);
    this.#review();
  }

  /** Reserves for a turn whose agent does not ask before its calls. */
  reserveTurn(reservation: Required<Reservation>): void {
    this.#reservations.hold(reservation);
  }

  /** The session's call is over, with or without a cost, or does not wait any more. */
  releaseCall(session: string): void {
    if (this.#reservations.of(session)?.stopTurn === undefined) this.release(session);
  }

  /** Gives back all that the session has reserved, and forgets the call that waits. */
  release(session: string): void {
    if (this.#drop(session)) this.#review();
  }

  /**
   * Counts a call in place of its reservation. Returns the notices for its session, and the budget that stops it.
   * `isUnknownModel`: no source knows a price of its model.
   */
  spend(entry: LedgerEntry, isUnknownModel = false): { notices: BudgetNotice[]; stop: Stop | undefined } {
    this.#unwritten.add(entry);
    if (this.#reservations.of(entry.session)?.stopTurn === undefined)
      this.#reservations.release(entry.session);
    const counted = this.#count(entry, isUnknownModel);
    this.#review();
    return counted;
  }

  #count(entry: LedgerEntry, isUnknownModel: boolean): { notices: BudgetNotice[]; stop: Stop | undefined } {
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
      const crossing = { budget, message: messages.stopping(terms, status) };
      if (stops) stop ??= crossing;
      if (stops && crossed !== null && target !== undefined)
        this.#stopTurns(open, target, entry.session, crossing);
      if (isUnknownModel && terms.kind === "hard" && terms.unpriced === "refuse")
        stop ??= { budget, message: `Stopped: ${messages.unpricedModel(terms, entry)}` };
    }
    return { notices, stop };
  }

  /** Turns of agents that do not ask end as soon as another session has used the budget up. */
  #stopTurns({ tally }: OpenBudget, target: string, but: string, stop: Stop): void {
    for (const { spender, stopTurn } of this.#reservations.turnsOf(tally, target))
      if (spender.session !== but) stopTurn?.(stop);
  }

  #hardLimits(spender: Spender): { open: OpenBudget; target: string; status: TargetStatus }[] {
    const now = Date.now();
    return [...this.#budgets.values()].flatMap((open) => {
      const { tally } = open;
      const target = tally.terms.kind === "hard" ? tally.targetOf(spender) : undefined;
      return target === undefined ? [] : [{ open, target, status: tally.status(target, now) }];
    });
  }

  /** Running calls may use up what is left. */
  #isCrowded(
    { tally }: OpenBudget,
    target: string,
    { nanos, limit }: TargetStatus,
    session: string,
  ): boolean {
    return nanos + this.#reservations.reserved(tally, target, session) >= limit;
  }

  #decide(call: CallRequest): CallDecision {
    const { spender } = call;
    let waiting: string | undefined;
    for (const { open, target, status } of this.#hardLimits(spender)) {
      const { terms } = open.tally;
      const denied = (message: string): CallDecision => ({
        is: "denied",
        stop: { budget: open.id, message },
      });
      if (status.state === "over") return denied(messages.stopping(terms, status));
      if (!call.priced && terms.unpriced === "refuse")
        return denied(`Stopped: ${messages.unpricedModel(terms, call)}`);
      if (this.#isCrowded(open, target, status, spender.session)) waiting ??= messages.waiting(terms);
    }
    if (waiting !== undefined) return { is: "waiting", message: waiting };
    this.#reservations.hold({ spender, nanos: call.nanos });
    return { is: "allowed" };
  }

  /** Whether something was reserved. */
  #drop(session: string): boolean {
    this.#waiting = this.#waiting.filter(({ call }) => call.spender.session !== session);
    return this.#reservations.release(session);
  }

  /** There may be more room, or less: decides again about what waits. */
  #review(): void {
    for (const waiting of [...this.#waiting]) {
      if (!this.#waiting.includes(waiting)) continue; // an answer to another led to this one's
      const decision = this.#decide(waiting.call);
      if (decision.is === "waiting") continue;
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      waiting.answer(decision);
    }
    if (this.#crowdedOut.size === 0) return;
    const sessions = [...this.#crowdedOut];
    this.#crowdedOut.clear();
    this.#hasRoom(sessions);
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
    this.#review();
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
    this.#limitsChanged();
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
      unpriced: change.unpriced ?? before.unpriced,
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
    const status = all.map((each) => describeStatus(each, this.#reservations.reserved(tally, each.target)));
    return { ...about, ...tally.terms, status };
  }

  #notifyAffected(open: OpenBudget, event: BudgetEvent, how: "granted" | "changed"): void {
    this.#publish(event, open);
    const sessions = [...open.affected];
    open.affected.clear();
    open.refused.clear();
    this.#listener(sessions, { event: how, budget: open.id, message: event.message });
    this.#limitsChanged();
    this.#review();
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
