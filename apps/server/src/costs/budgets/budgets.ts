// All budgets of this server. What is spent is counted here the moment it is known, in one place and without a pause,
// so that prompts side by side cannot slip past a limit; the ledger, from which counting starts, makes it outlive us.
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
  toMicroDollars,
} from "@patchbay/protocol";
import type { KeptBudget } from "../../store/budget-store.ts";
import { isImported } from "../../store/imported.ts";
import type { LedgerEntry, PriceChange } from "../../store/ledger-types.ts";
import * as messages from "./budget-messages.ts";
import { describeStanding } from "./describe.ts";
import { eventOf, placeOf } from "./events.ts";
import { openTally } from "./open-tally.ts";
import type { BudgetsOptions } from "./options.ts";
import { type Spender, type Standing, spentBy, type Tally } from "./tally.ts";
import { demandWholePath, tidy } from "./tidy-terms.ts";
import { Unsettled } from "./unsettled.ts";

interface Kept {
  id: string;
  source: Budget["source"];
  created_at: string | null;
  created_by: string;
  tally: Tally;
  /** Sessions that it stopped, held or refused, and that were not told of a change since. */
  affected: Set<string>;
  /** Those of them whose refusal is kept: one for each is enough. */
  refused: Set<string>;
}

/** A call has taken a hard budget to its limit. */
export interface Stop {
  budget: string;
  message: string;
}

type BudgetEventListener = (event: BudgetEvent, budget: Budget) => void;
type Told = Pick<BudgetFrame, "event" | "budget" | "message">;

export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #unsettled = new Unsettled();
  readonly #eventListeners: BudgetEventListener[] = [];
  #listener: (sessions: readonly string[], told: Told) => void = () => {};

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /** There may be room again; the sessions that had none are to be told why. */
  onChange(listener: (sessions: readonly string[], told: Told) => void): void {
    this.#listener = listener;
  }

  /** Everything that happens to a budget or because of it. */
  onEvent(listener: BudgetEventListener): void {
    this.#eventListeners.push(listener);
  }

  /** Before anything is spent: counts what was spent before. */
  async load(): Promise<void> {
    for (const given of this.#options.configured) {
      const terms = tidy(given, this.#options.realPath);
      await this.#open(
        { id: `config:${terms.name}`, source: "config", created_at: null, created_by: "config" },
        terms,
      );
    }
    for (const { terms, ...kept } of await this.#options.store.budgets.list())
      await this.#open({ ...kept, source: "api" }, tidy(terms, this.#options.realPath));
  }

  // While agents work: nothing here waits.

  /** Why nothing may start for this session now; undefined: it may. */
  refusal(spender: Spender): Stop | undefined {
    const now = Date.now();
    for (const kept of this.#kept.values()) {
      const { tally, id } = kept;
      const { kind, period } = tally.terms;
      // Each turn has a turn's budget anew.
      const target = kind === "hard" && period !== "turn" ? tally.targetOf(spender) : undefined;
      if (target === undefined) continue;
      const standing = tally.standing(target, now);
      if (standing.state !== "over") continue;
      const message = messages.refusal(tally.terms, standing);
      const isNew = !kept.refused.has(spender.session);
      kept.affected.add(spender.session);
      kept.refused.add(spender.session);
      if (isNew) this.#happened(kept, "refused", standing, { session: spender.session, message });
      return { budget: id, message };
    }
    return undefined;
  }

  turnBegan(session: string): void {
    for (const { tally } of this.#kept.values()) tally.turnBegan(session);
  }

  /** Counts a call; says what its session is to be told, and whether it has to stop. */
  spend(entry: LedgerEntry): { told: Told[]; stop: Stop | undefined } {
    this.#unsettled.add(entry);
    const told: Told[] = [];
    let stop: Stop | undefined;
    for (const kept of this.#kept.values()) {
      const { tally, id: budget } = kept;
      const target = tally.targetOf(entry);
      const result =
        target === undefined ? undefined : tally.add(target, Date.parse(entry.time), spentBy(entry));
      if (result === undefined) continue;
      const { standing, news } = result;
      const { terms } = tally;
      const stops = terms.kind === "hard" && standing.state === "over";
      if (news !== null) {
        const about = stops
          ? messages.stopping
          : news === "warned"
            ? messages.warning
            : messages.softlyExceeded;
        const message = about(terms, standing);
        this.#happened(kept, news, standing, { session: entry.session, message });
        if (!stops) told.push({ event: news, budget, message });
      }
      if (stops) stop ??= { budget, message: messages.stopping(terms, standing) };
    }
    return { told, stop };
  }

  /** A running turn was stopped. */
  stopped(spender: Spender, { budget, message }: Stop): void {
    const kept = this.#kept.get(budget);
    const target = kept?.tally.targetOf(spender);
    if (kept === undefined || target === undefined) return;
    kept.affected.add(spender.session);
    const standing = kept.tally.standing(target, Date.now());
    this.#happened(kept, "stopped", standing, { session: spender.session, message });
  }

  /** The ledger has the session's entries up to this one. */
  written(session: string, seq: number): void {
    this.#unsettled.written(session, seq);
  }

  repriced(changes: readonly PriceChange[]): void {
    for (const { entry, cost_micros, price } of changes) {
      if (isImported(entry.worker)) continue;
      const [before, after] = [spentBy(entry), spentBy({ cost_micros, price })];
      const difference = { micros: after.micros - before.micros, unpriced: after.unpriced - before.unpriced };
      for (const { tally } of this.#kept.values()) {
        const target = tally.terms.period === "turn" ? undefined : tally.targetOf(entry);
        if (target !== undefined) tally.adjust(target, Date.parse(entry.time), difference);
      }
    }
  }

  list(): Budget[] {
    return [...this.#kept.values()].map((kept) => this.#describe(kept));
  }

  /** Those that a session has to keep to, and how they stand for it. */
  listFor(spender: Spender): Budget[] {
    return [...this.#kept.values()].flatMap((kept) => {
      const target = kept.tally.targetOf(spender);
      return target === undefined ? [] : [this.#describe(kept, [kept.tally.standing(target, Date.now())])];
    });
  }

  async create(wish: BudgetTerms, by: string): Promise<Budget> {
    demandWholePath(wish);
    const kept: KeptBudget = {
      id: randomUUID(),
      terms: tidy(wish, this.#options.realPath),
      created_at: new Date().toISOString(),
      created_by: by,
    };
    const message = `The budget "${kept.terms.name}" was made.`;
    const event = eventOf(kept.id, "created", { by, message, amount_usd: kept.terms.limit_usd });
    await this.#options.store.budgets.save(kept, event);
    const { terms, ...rest } = kept;
    const opened = await this.#open({ ...rest, source: "api" }, terms);
    this.#tell(event, opened);
    return this.#describe(opened);
  }

  async change(id: string, { reason = "", ...change }: BudgetChange, by: string): Promise<Budget> {
    const kept = this.#find(id);
    if (kept.source === "config" || kept.created_at === null) throw new PatchbayError("read_only");
    const before = kept.tally.terms;
    const terms: BudgetTerms = {
      ...before,
      name: change.name ?? before.name,
      limit_usd: change.limit_usd ?? before.limit_usd,
      kind: change.kind ?? before.kind,
      warn_percent: change.warn_percent ?? before.warn_percent,
    };
    if (makesRoom(before, terms)) demandReason(reason, "give a budget more room");
    const message = messages.changed(before, terms, reason);
    const event = eventOf(id, "changed", { by, reason, message, amount_usd: terms.limit_usd });
    const { created_at, created_by } = kept;
    await this.#options.store.budgets.save({ id, terms, created_at, created_by }, event);
    kept.tally.change(terms);
    this.#madeRoom(kept, event, "changed");
    return this.#describe(kept);
  }

  async remove(id: string, reason: string, by: string): Promise<void> {
    const kept = this.#find(id);
    if (kept.source === "config") throw new PatchbayError("read_only");
    const { terms } = kept.tally;
    if (terms.kind === "hard") demandReason(reason, "delete a budget that stops people");
    const event = eventOf(id, "deleted", { by, reason, message: messages.deleted(terms, reason) });
    await this.#options.store.budgets.remove(id, event);
    this.#kept.delete(id);
    this.#madeRoom(kept, event, "changed");
  }

  /** More for one target, in this period only. */
  async grant(id: string, { amount_usd, reason, target }: BudgetGrant, by: string): Promise<Budget> {
    const kept = this.#find(id);
    const { tally } = kept;
    const { terms } = tally;
    if (terms.period === "turn")
      throw new PatchbayError("bad_request", "Each turn has this budget anew. Raise its limit instead.");
    const only = terms.scope === "everything" ? "" : terms.target;
    const whose = only ?? target;
    if (whose === undefined)
      throw new PatchbayError("bad_request", `Each ${terms.scope} has this budget. Name one as "target".`);
    const standing = tally.standing(whose, Date.now());
    const micros = toMicroDollars(amount_usd);
    const message = messages.granted(terms, micros, reason);
    const event = eventOf(id, "granted", { by, reason, message, amount_usd, ...placeOf(standing) });
    await this.#options.store.budgets.add(event);
    tally.grant(whose, micros);
    this.#madeRoom(kept, event, "granted");
    return this.#describe(kept);
  }

  events(budget: string | undefined, limit: number): Promise<BudgetEvent[]> {
    return this.#options.store.budgets.events({ budget, limit });
  }

  #find(id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept === undefined) throw new PatchbayError("not_found", "There is no such budget.");
    return kept;
  }

  async #open(about: Omit<Kept, "tally" | "affected" | "refused">, terms: BudgetTerms): Promise<Kept> {
    const tally = await openTally(this.#options.store, this.#unsettled, about.id, terms);
    const kept = { ...about, tally, affected: new Set<string>(), refused: new Set<string>() };
    this.#kept.set(about.id, kept);
    return kept;
  }

  #describe(
    { tally, affected: _affected, refused: _refused, ...about }: Kept,
    standings?: readonly Standing[],
  ): Budget {
    const all = standings ?? tally.standings(Date.now()).slice(0, shownTargets);
    return { ...about, ...tally.terms, status: all.map(describeStanding) };
  }

  #madeRoom(kept: Kept, event: BudgetEvent, how: "granted" | "changed"): void {
    this.#tell(event, kept);
    const sessions = [...kept.affected];
    kept.affected.clear();
    kept.refused.clear();
    this.#listener(sessions, { event: how, budget: kept.id, message: event.message });
  }

  #happened(
    kept: Kept,
    event: "warned" | "exceeded" | "refused" | "stopped",
    standing: Standing,
    { session, message }: { session: string; message: string },
  ): void {
    const about = { by: "", session, message, amount_usd: standing.micros / 1e6, ...placeOf(standing) };
    const made = eventOf(kept.id, event, about);
    this.#tell(made, kept, [standing]);
    this.#options.store.budgets.add(made).catch((err: unknown) => {
      this.#options.log.warn({ err, budget: kept.id }, "what happened to a budget could not be kept");
    });
  }

  #tell(event: BudgetEvent, kept: Kept, standings?: readonly Standing[]): void {
    const { message, ...details } = event;
    this.#options.log.info({ budget_event: details }, message);
    if (this.#eventListeners.length === 0) return;
    const budget = this.#describe(kept, standings);
    for (const listener of this.#eventListeners) listener(event, budget);
  }
}

function demandReason(reason: string, what: string): void {
  if (reason === "")
    throw new PatchbayError("bad_request", `reason: say why, to ${what}. It is kept with the budget.`);
}

/** Of a budget that everybody has; nobody reads more. */
const shownTargets = 20;
