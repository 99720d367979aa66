// What the operator says a model costs: by its name or a pattern, instead of what a catalog says, and where
// asked for also instead of what the worker says.
import * as z from "zod/mini";
import { Rates } from "./rates.ts";

const Override = z.union([
  /** It costs nothing, and that is known: a model on one's own machine. */
  z.literal("free"),
  /** Nobody knows, whatever a catalog says. */
  z.literal("unpriced"),
  z.extend(Rates, {
    /** Holds also where the worker told a price of its own. */
    always: z.optional(z.boolean()),
  }),
]);

/** `provider/model` or a pattern in which `*` stands for anything; the first that matches holds. */
export const Overrides = z.record(z.string().check(z.minLength(1)), Override);
export type Overrides = z.infer<typeof Overrides>;

export interface FoundOverride {
  pattern: string;
  /** Null: nobody knows. */
  rates: Rates | null;
  always: boolean;
}

const nothing: Rates = { input: 0, output: 0 };

export class OverrideList {
  readonly #list: (FoundOverride & { matches: RegExp })[];

  constructor(overrides: Overrides) {
    this.#list = Object.entries(overrides).map(([pattern, override]) => ({
      pattern,
      matches: toRegExp(pattern),
      rates: override === "free" ? nothing : override === "unpriced" ? null : override,
      always: typeof override === "object" && override.always === true,
    }));
  }

  find(provider: string, model: string): FoundOverride | undefined {
    const name = provider === "" ? model : `${provider}/${model}`;
    return this.#list.find(({ matches }) => matches.test(name));
  }
}

const toRegExp = (pattern: string): RegExp => {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
};
