// `node scripts/prices.mjs`: writes the price catalog that ships with the server from what the packages
// know: pi-ai and genai-prices. Run it after updating either, and commit the result.
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
function rates({ input, output, cacheRead, cacheWrite, cacheWrite1h }) {
  return {
    input,
    output,
    ...(cacheRead > 0 ? { cache_read: cacheRead } : {}),
    ...(cacheWrite > 0 ? { cache_write: cacheWrite } : {}),
    ...(cacheWrite1h > 0 ? { cache_write_1h: cacheWrite1h } : {}),
  };
}

function fromPi({ cost }) {
  if (!(cost.input > 0 || cost.output > 0)) return undefined;
  const tiers = (cost.tiers ?? []).map((tier) => ({ above: tier.inputTokensAbove, ...rates(tier) }));
  return { ...rates(cost), ...(tiers.length > 0 ? { tiers } : {}) };
}

/** The first price is the one without a condition; of the others, the last that holds counts. */
function fromGenai({ prices }) {
  if (!Array.isArray(prices)) return tiered(prices);
  const [first, ...others] = prices;
  const base = first.constraint === undefined ? tiered(first.prices) : undefined;
  if (base === undefined) return undefined;
  const changes = others.map((other) => {
    const { search: _search, ...price } = tiered(other.prices) ?? {};
    return { ...conditionOf(other.constraint), ...price };
  });
  return changes.some(({ input }) => input === undefined) ? undefined : { ...base, changes };
}

function conditionOf(constraint) {
  if (constraint.type === "start_date") return { from: constraint.start_date };
  const clock = (time) => {
    if (!/^\d\d:\d\d:00Z$/.test(time)) throw new Error(`not a time of UTC: ${time}`);
    return time.slice(0, 5);
  };
  return { hours: [clock(constraint.start_time), clock(constraint.end_time)] };
}

function tiered(prices) {
  if (prices?.input_mtok === undefined || prices.output_mtok === undefined) return undefined;
  const at = (start) => {
    const price = (key) => {
      const value = prices[key];
      if (value === undefined || typeof value === "number") return value ?? 0;
      return value.tiers.findLast((tier) => tier.start <= start)?.price ?? value.base;
    };
    return rates({
      input: price("input_mtok"),
      output: price("output_mtok"),
      cacheRead: price("cache_read_mtok"),
      cacheWrite: price("cache_write_mtok"),
      cacheWrite1h: price("cache_write_1h_mtok"),
    });
  };
  const starts = new Set(
    Object.values(prices).flatMap((value) => (value?.tiers ?? []).map(({ start }) => start)),
  );
  const base = at(-1);
  if (!(base.input > 0 || base.output > 0)) return undefined;
  const tiers = [...starts].sort((a, b) => a - b).map((above) => ({ above, ...at(above) }));
  const search =
    prices.web_searches_kcount === undefined ? {} : { search: prices.web_searches_kcount / 1_000 };
  return { ...base, ...(tiers.length > 0 ? { tiers } : {}), ...search };
}

/** The names that mean this model and no other. */
function namesOf({ id, match }) {
  const equal = (rule) => (rule.equals === undefined ? (rule.or ?? []).flatMap(equal) : [rule.equals]);
  return [id, ...equal(match)];
}

/** Whether a rule of genai-prices means this name. */
function matches(rule, name) {
  const text = name.toLowerCase();
  if (rule.or !== undefined) return rule.or.some((each) => matches(each, name));
  if (rule.and !== undefined) return rule.and.every((each) => matches(each, name));
  if (rule.equals !== undefined) return text === rule.equals.toLowerCase();
  if (rule.starts_with !== undefined) return text.startsWith(rule.starts_with.toLowerCase());
  if (rule.ends_with !== undefined) return text.endsWith(rule.ends_with.toLowerCase());
  if (rule.contains !== undefined) return text.includes(rule.contains.toLowerCase());
  if (rule.regex !== undefined) return new RegExp(rule.regex, "i").test(name);
  return false;
}

const models = {};
const put = (provider, name, price) => {
  models[provider] ??= {};
  models[provider][name] ??= price;
};
/** Of these, genai-prices knows tiers, dates and hours; of those who resell, pi-ai knows the prices of each region. */
const makers = new Set(["anthropic", "deepseek", "google", "openai", "xai"]);
const putTheirs = (wanted) => {
  for (const [theirs, ours] of Object.entries(providers)) {
    if (!wanted(ours)) continue;
    for (const model of findProvider({ providerId: theirs })?.models ?? []) {
      const price = fromGenai(model);
      for (const name of price === undefined ? [] : namesOf(model)) put(ours, name, price);
    }
  }
};
putTheirs((provider) => makers.has(provider));
const theirName = new Map(Object.entries(providers).map(([theirs, ours]) => [ours, theirs]));
for (const provider of getBuiltinProviders()) {
  const theirs = makers.has(provider) ? findProvider({ providerId: theirName.get(provider) }).models : [];
  for (const model of getBuiltinModels(provider)) {
    const known = theirs.find(({ match }) => matches(match, model.id));
    const price = (known === undefined ? undefined : fromGenai(known)) ?? fromPi(model);
    if (price !== undefined) put(provider, model.id, price);
  }
}
putTheirs(() => true);
addFastModes();

/**
 * Who resells a fast mode lists it as a model of its own, with the price of the maker. It is taken over where the model itself costs
 * the same there as with its maker.
 */
function addFastModes() {
  const plain = (name) => name.replaceAll(".", "-");
  for (const reseller of ["openrouter", "vercel-ai-gateway"])
    for (const [name, fast] of Object.entries(models[reseller] ?? {})) {
      const [, maker, model] = /^([^/]+)\/(.+)-fast$/.exec(name) ?? [];
      const usual = models[reseller][`${maker}/${model}`];
      if (usual === undefined || !makers.has(maker)) continue;
      for (const [own, price] of Object.entries(models[maker] ?? {})) {
        const isSame =
          plain(own) === plain(model) && price.input === usual.input && price.output === usual.output;
        if (!isSame) continue;
        // What a cache keeps for an hour costs the same multiple of the input in both modes.
        const cacheWrite1h = fast.cache_write_1h ?? (fast.input * (price.cache_write_1h ?? 0)) / price.input;
        const { input, output, cache_read: cacheRead, cache_write: cacheWrite } = fast;
        price.fast ??= rates({ input, output, cacheRead, cacheWrite, cacheWrite1h });
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
console.log(`${count} prices`);
