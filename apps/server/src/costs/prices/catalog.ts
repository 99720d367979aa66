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
  readonly #dated = new Map<string, ReadonlyMap<string, Rates>>();

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

  /**
   * Returns the provider's own price; for an unknown provider, the price of the model's maker. A model that runs on the person's own
   * machine has no price, whatever its name.
   */
  find(provider: string, model: string): Rates | undefined {
    const { models } = this.file;
    if (Object.hasOwn(models, provider)) return this.#ofProvider(provider, model);
    if (localProviders.has(provider.toLowerCase())) return undefined;
    const [vendor = "", ...rest] = model.split("/");
    const named = rest.length === 0 ? undefined : this.#ofProvider(vendor, rest.join("/"));
    return named ?? makers.map((maker) => this.#ofProvider(maker, model)).find((rates) => rates);
  }

  /** By its name, or by its name with or without a date: `claude-sonnet-4-5-20250929` is `claude-sonnet-4-5`. */
  #ofProvider(provider: string, model: string): Rates | undefined {
    const known = own(this.file.models, provider);
    if (known === undefined) return undefined;
    const undated = withoutDate(model);
    return own(known, model) ?? own(known, undated) ?? this.#newestDated(provider, known).get(undated);
  }

  /** The newest of the models whose names differ only in their date, by the name without it. */
  #newestDated(provider: string, known: Record<string, Rates>): ReadonlyMap<string, Rates> {
    const found = this.#dated.get(provider);
    if (found !== undefined) return found;
    const dated = new Map<string, Rates>();
    for (const name of Object.keys(known).sort()) {
      const undated = withoutDate(name);
      const rates = known[name];
      if (undated !== name && rates !== undefined) dated.set(undated, rates);
    }
    this.#dated.set(provider, dated);
    return dated;
  }
}

/** `-20250929`, `-2025-09-29`, `@20250929`, `-latest`. */
export const withoutDate = (model: string): string =>
  model.replace(/(?:[-@]20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|-latest)$/, "");

/** Programs that run models on the person's own machine. */
const localProviders = new Set([
  "ollama",
  "lmstudio",
  "lm-studio",
  "llamacpp",
  "llama.cpp",
  "llama-cpp",
  "llamafile",
  "vllm",
  "sglang",
  "mlx",
  "localai",
  "local",
  "jan",
  "gpt4all",
  "koboldcpp",
  "text-generation-webui",
  "self-hosted",
]);

/** Names come from workers: `constructor` must not match. */
const own = <T>(record: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
