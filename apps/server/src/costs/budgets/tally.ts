// What counts against one budget in the period that is running, for each of its targets. Pure: it is told what was
// spent and what time it is.
import { type BudgetStatus, type BudgetTerms, isUnpriced } from "@patchbay/protocol";
import type { LedgerEntry, PriceSource } from "../../store/ledger-types.ts";
import { type Period, periodAt } from "./periods.ts";

/** Whom and where a call is for. */
export type Spender = Pick<LedgerEntry, "session" | "person" | "cwd" | "worker">;

interface Account {
  micros: number;
  unpriced: number;
  granted: number;
  /** What people were told already. */
  told: { warned: boolean; exceeded: boolean };
}

/** A change of what was spent. */
export interface Spent {
  micros: number;
  unpriced: number;
}

export interface Standing {
  target: string;
  period: Period;
  micros: number;
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

  /** Undefined: it does not concern this budget. */
  targetOf({ session, person, cwd, worker }: Spender): string | undefined {
    const { scope, target, period } = this.terms;
    const own = { everything: "", project: cwd, worker, person, session }[scope];
    const concerned =
      scope === "everything" || target === null || target === own || isBelow(own, scope, target);
    if (!concerned) return undefined;
    // A turn is a session's own, whatever it is that limits it.
    return period === "turn" ? session : scope === "everything" ? "" : (target ?? own);
  }

  periodAt(now: number): Period {
    if (now >= this.#period.to) {
      this.#period = periodAt(now, this.terms.period, this.terms.time_zone);
      this.#accounts.clear();
    }
    return this.#period;
  }

  /** What was spent before now in the same period, as the ledger knows it. */
  seed(target: string, { micros, unpriced }: Spent): void {
    const account = this.#account(target);
    account.micros += micros;
    account.unpriced += unpriced;
  }

  /** What people were told in this period, and what was granted for it. */
  remember(target: string, event: "warned" | "exceeded" | { granted: number }): void {
    const account = this.#account(target);
    if (typeof event === "object") account.granted += event.granted;
    else account.told[event] = true;
  }

  /** A turn begins: what the last one of the session spent no longer counts. */
  turnBegan(session: string): void {
    if (this.terms.period === "turn") this.#accounts.delete(session);
  }

  /** Says what people are to be told of now, once for each period. */
  add(
    target: string,
    time: number,
    { micros, unpriced }: Spent,
  ): { standing: Standing; news: "warned" | "exceeded" | null } | undefined {
    const { from } = this.periodAt(time);
    if (time < from) return undefined; // caught up with after the period was over
    const account = this.#account(target);
    account.micros += micros;
    account.unpriced += unpriced;
    const standing = this.standing(target, time);
    const { state } = standing;
    if (state === "over" && !account.told.exceeded) {
      account.told = { warned: true, exceeded: true };
      return { standing, news: "exceeded" };
    }
    if (state === "warned" && !account.told.warned) {
      account.told.warned = true;
      return { standing, news: "warned" };
    }
    return { standing, news: null };
  }

  /** What was spent cost something else than was known. */
  adjust(target: string, time: number, spent: Spent): void {
    if (time >= this.#period.from && time < this.#period.to) this.seed(target, spent);
  }

  grant(target: string, micros: number): void {
    this.#account(target).granted += micros;
    this.tellAnew();
  }

  change(terms: BudgetTerms): void {
    this.terms = terms;
    this.tellAnew();
  }

  /** There is room again, or less of it: who is told of what begins anew. */
  tellAnew(): void {
    for (const [target, account] of this.#accounts) {
      const { state } = this.standing(target, this.#period.from);
      account.told = {
        warned: account.told.warned && state !== "ok",
        exceeded: account.told.exceeded && state === "over",
      };
    }
  }

  standing(target: string, now: number): Standing {
    const period = this.periodAt(now);
    const { micros, unpriced, granted } = this.#accounts.get(target) ?? nothing;
    const limit = Math.round(this.terms.limit_usd * 1e6) + granted;
    const warned = micros >= (limit * this.terms.warn_percent) / 100;
    const state = micros >= limit ? "over" : warned ? "warned" : "ok";
    return { target, period, micros, limit, granted, unpriced, state };
  }

  /** The one nearest to its limit first. */
  standings(now: number): Standing[] {
    this.periodAt(now);
    const { scope, target, period } = this.terms;
    const always = scope === "everything" ? [""] : target === null || period === "turn" ? [] : [target];
    const targets =
      period === "turn" ? this.#accounts.keys() : new Set([...always, ...this.#accounts.keys()]);
    return [...targets]
      .map((each) => this.standing(each, now))
      .sort((a, b) => b.micros / b.limit - a.micros / a.limit);
  }

  #account(target: string): Account {
    let account = this.#accounts.get(target);
    if (account === undefined)
      this.#accounts.set(target, (account = { ...nothing, told: { warned: false, exceeded: false } }));
    return account;
  }
}

const nothing = { micros: 0, unpriced: 0, granted: 0 };

const isBelow = (path: string, scope: string, target: string | null): boolean =>
  scope === "project" && target !== null && path.startsWith(target.endsWith("/") ? target : `${target}/`);

export const spentBy = ({ cost_micros, price }: { cost_micros: number; price: PriceSource }): Spent => ({
  micros: cost_micros,
  unpriced: Number(isUnpriced(price)),
});
