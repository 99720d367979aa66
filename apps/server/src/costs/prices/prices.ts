// Prices a model call by its first source: the worker's report, the operator's override, the catalog. Without any it is unpriced.
import type { PriceSource } from "../../store/ledger-types.ts";
import type { Catalog } from "./catalog.ts";
import { DiscountList } from "./discounts.ts";
import { OverrideList, type Overrides } from "./overrides.ts";
import { costNanos, coverSurcharges, hasSurcharges, type Rates, type Tokens } from "./rates.ts";

export interface Call extends Tokens {
  provider: string;
  model: string;
  /** When it was made, in milliseconds: prices change. */
  time: number;
  /** The worker's own figure; null: it reported none. */
  reported_nanos: number | null;
  /** The worker's figure is from a catalog of its own, so this one goes before it. */
  reported_by_catalog?: boolean | undefined;
  /** The call was billed for more tokens than are counted here, so rates cannot price it. */
  incomplete: boolean;
}

export interface Priced {
  cost_nanos: number;
  price: PriceSource;
  /** At list prices, where a discount made the call cheaper. */
  list_nanos?: number;
}

export class Prices {
  catalog: Catalog;
  /** What was negotiated; replaced when it is changed. */
  discounts = new DiscountList([]);
  readonly #overrides: OverrideList;

  constructor(catalog: Catalog, overrides: Overrides) {
    this.catalog = catalog;
    this.#overrides = new OverrideList(overrides);
  }

  of(call: Call): Priced {
    const override = this.#overrides.find(call.provider, call.model);
    const reported: Priced | undefined =
      call.reported_nanos === null
        ? undefined
        : this.#discounted(call, { cost_nanos: call.reported_nanos, price: "worker" });
    if (reported !== undefined && override?.always !== true && call.reported_by_catalog !== true)
      return reported;
    const byRates = this.byRates(call);
    if (byRates !== undefined) return byRates;
    // A worker's catalog prices tokens only.
    const isUnpriced =
      (override?.rates === null && (override.always || call.reported_by_catalog === true)) ||
      (call.reported_by_catalog === true && hasSurcharges(call));
    return (isUnpriced ? undefined : reported) ?? { cost_nanos: 0, price: "none" };
  }

  /** Returns the rates of a model per million tokens and their source; null: unknown. */
  ratesOf(provider: string, model: string): { rates: Rates; price: PriceSource } | null {
    const override = this.#overrides.find(provider, model);
    const rates = override === undefined ? this.catalog.find(provider, model) : override.rates;
    if (rates === undefined || rates === null) return null;
    const price: PriceSource =
      override === undefined ? `catalog ${this.catalog.version}` : `override ${override.pattern}`;
    return { rates, price };
  }

  /** Whether the price of a call will be known. `isReported`: the worker knows one. */
  knows(provider: string, model: string, isReported: boolean): boolean {
    const override = this.#overrides.find(provider, model);
    if (override !== undefined) return override.rates !== null;
    return isReported || this.catalog.find(provider, model) !== undefined;
  }

  /** Prices a past call again, ignoring the worker's report; undefined: no new price, so the old one stays. */
  currentPrice(call: Call): Priced | undefined {
    const override = this.#overrides.find(call.provider, call.model);
    if (override?.rates === null) return { cost_nanos: 0, price: call.incomplete ? "incomplete" : "none" };
    return this.byRates(call);
  }

  /** Prices a call by overrides and catalog, ignoring the worker's report; undefined: they have no rates. */
  byRates(call: Call): Priced | undefined {
    const found = this.ratesOf(call.provider, call.model);
    if (found === null) return undefined;
    const { rates, price } = found;
    const free = rates.input === 0 && rates.output === 0;
    // Without a rate for what is billed beside tokens, the price would be too low.
    if (!free && !coverSurcharges(rates, call)) return undefined;
    // A call that was cut before its provider reported tokens has cost an unknown amount.
    const counted = call.input + call.output + call.cache_read + call.cache_write > 0 && !call.incomplete;
    if (!counted && !free) return undefined;
    const priced = { cost_nanos: costNanos(rates, call, call.time), price };
    // The operator's own price is what is paid already.
    return price.startsWith("override ") ? priced : this.#discounted(call, priced);
  }

  /** What is paid for an amount at the list prices of a model. */
  discountedNanos(
    { provider, model, time }: Pick<Call, "provider" | "model" | "time">,
    nanos: number,
  ): number {
    return Math.round(nanos * (1 - this.discounts.percentOf(provider, model, time) / 100));
  }

  #discounted(call: Call, priced: Priced): Priced {
    const cost_nanos = this.discountedNanos(call, priced.cost_nanos);
    return cost_nanos === priced.cost_nanos
      ? priced
      : { ...priced, cost_nanos, list_nanos: priced.cost_nanos };
  }
}
