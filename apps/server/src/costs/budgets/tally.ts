// Counts what was spent against one budget in its current period, for each of its targets. Pure: the caller passes amounts and
// the time.
import { type BudgetStatus, type BudgetTerms, isUnpriced } from "@patchbay/protocol";
import type { LedgerEntry, PriceSource } from "../../store/ledger-types.ts";
import { type Period, periodAt } from "./periods.ts";

/** The fields of a call by which budgets select it. */
export type Spender = Pick<LedgerEntry, "session" | "person" | "cwd" | "worker">;

interface Account {
  nanos: number;
  unpriced: number;
  granted: number;
  /** Which events were reported in this period. Each is reported once. */
  reported: { warned: boolean; exceeded: boolean };
}

/** A change of what was spent. */
export interface Spent {
  nanos: number;
  unpriced: number;
}

export interface TargetStatus {
  target: string;
  period: Period;
  nanos: number;
  limit: number;
  granted: number;
  unpriced: number;
  state: BudgetStatus["state"];
}

export class Tally {
  terms: BudgetTerms;
  #period: Period;
  readonly #accounts = new Map<string, Account>();

  constructor(terms: BudgetTerms, now: number) {
    this.terms = terms;
    this.#period = periodAt(now, terms.period, terms.time_zone);
  }

  /** Returns the target that a call counts for; undefined: this budget does not apply to it. */
  targetOf({ session, person, cwd, worker }: Spender): string | undefined {
    const { scope, target, period } = this.terms;
    const own = { everything: "", project: cwd, worker, person, session }[scope];
    const concerned =
      scope === "everything" || target === null || target === own || isBelow(own, scope, target);
    if (!concerned) return undefined;
    // A turn belongs to one session, so its target is the session in every scope.
    return period === "turn" ? session : scope === "everything" ? "" : (target ?? own);
  }

  periodAt(now: number): Period {
    if (now >= this.#period.to) {
      this.#period = periodAt(now, this.terms.period, this.terms.time_zone);
      this.#accounts.clear();
    }
    return this.#period;
  }

  /** Adds what the ledger has for this period, without reporting. */
  seed(target: string, { nanos, unpriced }: Spent): void {
    const account = this.#account(target);
    account.nanos += nanos;
    account.unpriced += unpriced;
  }

  /** Restores an event of this period after a restart. */
  restore(target: string, event: "warned" | "exceeded" | { granted: number }): void {
    const account = this.#account(target);
    if (typeof event === "object") account.granted += event.granted;
    else account.reported[event] = true;
  }

  /** A new turn starts at zero. */
  turnBegan(session: string): void {
    if (this.terms.period === "turn") this.#accounts.delete(session);
  }

  /** Counts a call. `crossed` is the threshold to report now; each is reported once per period. */
  add(
    target: string,
    time: number,
    { nanos, unpriced }: Spent,
  ): { status: TargetStatus; crossed: "warned" | "exceeded" | null } | undefined {
    const { from } = this.periodAt(time);
    if (time < from) return undefined; // the call belongs to an earlier period
    const account = this.#account(target);
    account.nanos += nanos;
    account.unpriced += unpriced;
    const status = this.status(target, time);
    const { state } = status;
    if (state === "over" && !account.reported.exceeded) {
      account.reported = { warned: true, exceeded: true };
      return { status, crossed: "exceeded" };
    }
    if (state === "warned" && !account.reported.warned) {
      account.reported.warned = true;
      return { status, crossed: "warned" };
    }
    return { status, crossed: null };
  }

  /** The price of a past call changed. */
  adjust(target: string, time: number, spent: Spent): void {
    if (time >= this.#period.from && time < this.#period.to) this.seed(target, spent);
  }

  grant(target: string, nanos: number): void {
    this.#account(target).granted += nanos;
    this.resetReported();
  }

  change(terms: BudgetTerms): void {
    this.terms = terms;
    this.resetReported();
  }

  /** The limit changed: thresholds that are no longer crossed are reported again when they are. */
  resetReported(): void {
    for (const [target, account] of this.#accounts) {
      const { state } = this.status(target, this.#period.from);
      account.reported = {
        warned: account.reported.warned && state !== "ok",
        exceeded: account.reported.exceeded && state === "over",
      };
    }
  }

  status(target: string, now: number): TargetStatus {
    const period = this.periodAt(now);
    const { nanos, unpriced, granted } = this.#accounts.get(target) ?? nothing;
    const limit = Math.round(this.terms.limit_usd * 1e9) + granted;
    const warned = nanos >= (limit * this.terms.warn_percent) / 100;
    const state = nanos >= limit ? "over" : warned ? "warned" : "ok";
    return { target, period, nanos, limit, granted, unpriced, state };
  }

  /** The status of every target, nearest to its limit first. */
  statuses(now: number): TargetStatus[] {
    this.periodAt(now);
    const { scope, target, period } = this.terms;
    const always = scope === "everything" ? [""] : target === null || period === "turn" ? [] : [target];
    const targets =
      period === "turn" ? this.#accounts.keys() : new Set([...always, ...this.#accounts.keys()]);
    return [...targets]
      .map((each) => this.status(each, now))
      .sort((a, b) => b.nanos / b.limit - a.nanos / a.limit);
  }

  #account(target: string): Account {
    let account = this.#accounts.get(target);
    if (account === undefined)
      this.#accounts.set(target, (account = { ...nothing, reported: { warned: false, exceeded: false } }));
    return account;
  }
}

const nothing = { nanos: 0, unpriced: 0, granted: 0 };

const isBelow = (path: string, scope: string, target: string | null): boolean =>
  scope === "project" && target !== null && path.startsWith(target.endsWith("/") ? target : `${target}/`);

export const spentBy = ({ cost_nanos, price }: { cost_nanos: number; price: PriceSource }): Spent => ({
  nanos: cost_nanos,
  unpriced: Number(isUnpriced(price)),
});
