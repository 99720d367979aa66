// `node scripts/prices.mjs`: writes the price catalog that ships with the server from what the packages
// know: pi-ai first, genai-prices for models it lacks. Run it after updating either, and commit the result.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getBuiltinModels, getBuiltinProviders } from "@earendil-works/pi-ai/providers/all";
import { findProvider } from "@pydantic/genai-prices";
import { root } from "./install.mjs";

/** Their name for a provider, and pi-ai's. */
const providers = {
  anthropic: "anthropic",
  avian: "avian",
  aws: "amazon-bedrock",
  azure: "azure",
  cerebras: "cerebras",
  cohere: "cohere",
  deepseek: "deepseek",
  fireworks: "fireworks",
  google: "google",
  groq: "groq",
  mistral: "mistral",
  moonshotai: "moonshotai",
  novita: "novita",
  openai: "openai",
  openrouter: "openrouter",
  perplexity: "perplexity",
  together: "together",
  "x-ai": "xai",
};

const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

/** A price of nothing is left out: it means that nobody knows, or that there is no separate price. */
function rates({ input, output, cacheRead, cacheWrite }) {
  return {
    input,
    output,
    ...(cacheRead > 0 ? { cache_read: cacheRead } : {}),
    ...(cacheWrite > 0 ? { cache_write: cacheWrite } : {}),
  };
}

function fromPi({ cost }) {
  if (!(cost.input > 0 || cost.output > 0)) return undefined;
  const tiers = (cost.tiers ?? []).map((tier) => ({ above: tier.inputTokensAbove, ...rates(tier) }));
  return { ...rates(cost), ...(tiers.length > 0 ? { tiers } : {}) };
}

function fromGenai({ prices }) {
  const now = Array.isArray(prices)
    ? prices.findLast(({ constraint }) => isInForce(constraint))?.prices
    : prices;
  if (now?.input_mtok === undefined || now.output_mtok === undefined) return undefined;
  const at = (start) => {
    const price = (key) => {
      const value = now[key];
      if (value === undefined || typeof value === "number") return value ?? 0;
      return value.tiers.findLast((tier) => tier.start <= start)?.price ?? value.base;
    };
    return rates({
      input: price("input_mtok"),
      output: price("output_mtok"),
      cacheRead: price("cache_read_mtok"),
      cacheWrite: price("cache_write_mtok"),
    });
  };
  const starts = new Set(
    Object.values(now).flatMap((value) => (value?.tiers ?? []).map(({ start }) => start)),
  );
  const base = at(-1);
  if (!(base.input > 0 || base.output > 0)) return undefined;
  const tiers = [...starts].sort((a, b) => a - b).map((above) => ({ above, ...at(above) }));
  return { ...base, ...(tiers.length > 0 ? { tiers } : {}) };
}

/** Prices by the hour of the day are not followed: the one without a condition holds. */
const isInForce = (constraint) =>
  constraint === undefined ||
  (constraint.type === "start_date" && constraint.start_date <= new Date().toISOString());

/** The names that mean this model and no other. */
function namesOf({ id, match }) {
  const equal = (rule) => (rule.equals === undefined ? (rule.or ?? []).flatMap(equal) : [rule.equals]);
  return [id, ...equal(match)];
}

const models = {};
let lacked = 0;
for (const provider of getBuiltinProviders()) {
  for (const model of getBuiltinModels(provider)) {
    const price = fromPi(model);
    if (price === undefined) continue;
    models[provider] ??= {};
    models[provider][model.id] = price;
  }
}
for (const [theirs, ours] of Object.entries(providers)) {
  for (const model of findProvider({ providerId: theirs })?.models ?? []) {
    const price = fromGenai(model);
    for (const name of price === undefined ? [] : namesOf(model)) {
      models[ours] ??= {};
      if (models[ours][name] !== undefined) continue;
      models[ours][name] = price;
      lacked++;
    }
  }
}

const sorted = (object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
const lines = sorted(models).map(
  ([provider, known]) =>
    `    ${JSON.stringify(provider)}: {\n${sorted(known)
      .map(([id, price]) => `      ${JSON.stringify(id)}: ${JSON.stringify(price)}`)
      .join(",\n")}\n    }`,
);
const date = new Date().toISOString().slice(0, 10);
const sources = ["@earendil-works/pi-ai", "@pydantic/genai-prices"].map(
  (name) => `${name} ${versionOf(name)}`,
);
const head = `  "version": ${JSON.stringify(date)},\n  "sources": ${JSON.stringify(sources)},\n`;
writeFileSync(
  join(root, "apps/server/src/costs/prices/shipped-catalog.json"),
  `{\n${head}  "models": {\n${lines.join(",\n")}\n  }\n}\n`,
);
const count = Object.values(models).reduce((sum, known) => sum + Object.keys(known).length, 0);
console.log(`${count} prices, ${lacked} of them of genai-prices`);
