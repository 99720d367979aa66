// A price catalog: providers, their models, and what a million tokens cost. One ships with the program (scripts/prices.mjs makes
// it); the operator may configure another of the same format.
import { explain } from "@patchbay/protocol";
import * as z from "zod/mini";
import { Rates } from "./rates.ts";
import shipped from "./shipped-catalog.json" with { type: "json" };

const CatalogFile = z.object({
  /** The ledger records it with every price from this catalog. */
  version: z.string().check(z.minLength(1), z.maxLength(100)),
  sources: z.optional(z.array(z.string())),
  models: z.record(z.string(), z.record(z.string(), Rates)),
});
export type CatalogFile = z.infer<typeof CatalogFile>;

/** Providers of their own models. An unknown provider is assumed to resell at their prices, in this order. */
const makers = [
  "anthropic",
  "openai",
  "google",
  "xai",
  "mistral",
  "deepseek",
  "moonshotai",
  "zai",
  "minimax",
  "meta",
  "cohere",
];

export class Catalog {
  readonly version: string;
  readonly sources: readonly string[];
  readonly file: CatalogFile;

  constructor(file: CatalogFile) {
    this.file = file;
    this.version = file.version;
    this.sources = file.sources ?? [];
  }

  static shipped(): Catalog {
    return new Catalog(shipped);
  }

  /** Throws a sentence for the operator when the text is not a catalog. */
  static parse(text: string): Catalog {
    const read = CatalogFile.safeParse(JSON.parse(text));
    if (!read.success) throw new Error(explain(read.error));
    return new Catalog(read.data);
  }

  get size(): number {
    return Object.values(this.file.models).reduce((sum, models) => sum + Object.keys(models).length, 0);
  }

  /** Returns the provider's own price; for an unknown provider, the price of the model's maker. */
  find(provider: string, model: string): Rates | undefined {
    const { models } = this.file;
    const known = own(models, provider);
    if (known !== undefined) return own(known, model);
    const [vendor, ...rest] = model.split("/");
    const named = rest.length === 0 ? undefined : own(own(models, vendor ?? "") ?? {}, rest.join("/"));
    return named ?? makers.map((maker) => own(own(models, maker) ?? {}, model)).find((rates) => rates);
  }
}

/** Names come from workers: `constructor` must not match. */
const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
