// What was negotiated with a provider: a percentage off its list prices, for its models or some of them, for a time. A worker's figure and
// the catalog's are list prices; an override is what the operator pays already, so it is not reduced again.
import type { Discount } from "@patchbay/protocol";
import { patternOf } from "./overrides.ts";

export class DiscountList {
  readonly #list: { matches: RegExp; percent: number; from: number; until: number }[];

  constructor(discounts: readonly Discount[]) {
    this.#list = discounts.map(({ match, percent, from, until }) => ({
      matches: patternOf(match),
      percent,
      from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
      until: until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until),
    }));
  }

  /** The first that matches applies. 0: none does. */
  percentOf(provider: string, model: string, time: number): number {
    const name = provider === "" ? model : `${provider}/${model}`;
    const found = this.#list.find(
      ({ matches, from, until }) => time >= from && time < until && matches.test(name),
    );
    return found?.percent ?? 0;
  }
}
