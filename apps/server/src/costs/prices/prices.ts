// What a model call cost, and who says so: the worker, an override of the operator, a catalog, or nobody.
import type { PriceSource } from "../../store/ledger-types.ts";
import type { Catalog } from "./catalog.ts";
import { OverrideList, type Overrides } from "./overrides.ts";
import { costMicros, type Rates, type Tokens } from "./rates.ts";

export interface Call extends Tokens {
  provider: string;
  model: string;
  /** What the worker told; null: it does not know. */
  told_micros: number | null;
  /** The tokens are not all that the call was billed for, so no rate can tell its price. */
  incomplete: boolean;
}

export interface Priced {
  cost_micros: number;
  price: PriceSource;
}

export class Prices {
  catalog: Catalog;
  readonly #overrides: OverrideList;

  constructor(catalog: Catalog, overrides: Overrides) {
    this.catalog = catalog;
    this.#overrides = new OverrideList(overrides);
  }

  of(call: Call): Priced {
    const override = this.#overrides.find(call.provider, call.model);
    if (call.told_micros !== null && override?.always !== true) {
      return { cost_micros: call.told_micros, price: "worker" };
    }
    return this.known(call) ?? { cost_micros: 0, price: "none" };
  }

  /** For people: what a million tokens of this model cost, and who says so; null when nobody knows. */
  ratesOf(provider: string, model: string): { rates: Rates; price: PriceSource } | null {
    const override = this.#overrides.find(provider, model);
    const rates = override === undefined ? this.catalog.find(provider, model) : override.rates;
    if (rates === undefined || rates === null) return null;
    const price: PriceSource =
      override === undefined ? `catalog ${this.catalog.version}` : `override ${override.pattern}`;
    return { rates, price };
  }

  /** For a call of the past: what is said of it now; undefined: nothing, so what was said holds. */
  now(call: Call): Priced | undefined {
    const override = this.#overrides.find(call.provider, call.model);
    if (override?.rates === null) return { cost_micros: 0, price: call.incomplete ? "incomplete" : "none" };
    return this.known(call);
  }

  /** What overrides and catalog say, whatever the worker told; undefined when they do not know. */
  known(call: Call): Priced | undefined {
    const found = this.ratesOf(call.provider, call.model);
    if (found === null) return undefined;
    const { rates, price } = found;
    const free = rates.input === 0 && rates.output === 0;
    // A call that was cut before its provider told what it used has cost something: nobody knows what.
    const told = call.input + call.output + call.cache_read + call.cache_write > 0 && !call.incomplete;
    return told || free ? { cost_micros: costMicros(rates, call), price } : undefined;
  }
}
