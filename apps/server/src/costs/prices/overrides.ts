// The operator's prices, by a model's name or a pattern. They replace the catalog's price, and with `always` also the price that
// the worker reports.
import * as z from "zod/mini";
import { Rates } from "./rates.ts";

const Override = z.union([
  /** Costs nothing, such as a model on the operator's machine. */
  z.literal("free"),
  /** The price is unknown, even if the catalog has one. */
  z.literal("unpriced"),
  z.extend(Rates, {
    /** Applies even if the worker reported a price. */
    always: z.optional(z.boolean()),
  }),
]);

/** Keys are `provider/model`, or a pattern in which `*` matches anything. The first match applies. */
export const Overrides = z.record(z.string().check(z.minLength(1)), Override);
export type Overrides = z.infer<typeof Overrides>;

export interface FoundOverride {
  pattern: string;
  /** Null: the price is unknown. */
  rates: Rates | null;
  always: boolean;
}

const nothing: Rates = { input: 0, output: 0 };

export class OverrideList {
  readonly #list: (FoundOverride & { matches: RegExp })[];

  constructor(overrides: Overrides) {
    this.#list = Object.entries(overrides).map(([pattern, override]) => ({
      pattern,
      matches: patternOf(pattern),
      rates: override === "free" ? nothing : override === "unpriced" ? null : override,
      always: typeof override === "object" && override.always === true,
    }));
  }

  find(provider: string, model: string): FoundOverride | undefined {
    const name = provider === "" ? model : `${provider}/${model}`;
    return this.#list.find(({ matches }) => matches.test(name));
  }
}

/** A name, or one in which `*` stands for anything. */
export const patternOf = (pattern: string): RegExp => {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
};
