// Who says what a call costs, and what becomes of it when somebody says something else.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calcPrice } from "@pydantic/genai-prices";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Catalog } from "../../../src/costs/prices/catalog.ts";
import { CatalogSource } from "../../../src/costs/prices/catalog-source.ts";
import { type Call, Prices } from "../../../src/costs/prices/prices.ts";
import { costNanos } from "../../../src/costs/prices/rates.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import { openStore } from "../../support/open-store.ts";

const catalog = (version: string, input = 3): Catalog =>
  Catalog.parse(
    JSON.stringify({
      version,
      models: {
        anthropic: { sonnet: { input, output: 15, cache_read: 0.3, cache_write: 3.75 } },
        openai: {
          tiered: { input: 1, output: 2, tiers: [{ above: 1_000, input: 2, output: 4 }] },
        },
      },
    }),
  );

const call = (change: Partial<Call> = {}): Call => ({
  provider: "anthropic",
  model: "sonnet",
  input: 1_000,
  output: 100,
  cache_read: 10_000,
  cache_write: 1_000,
  time: Date.parse("2026-11-18T12:00:00Z"),
  reported_nanos: null,
  incomplete: false,
  ...change,
});

describe("prices", () => {
  it("[U1] what the worker told holds; else the catalog, with its version; else nobody knows, which is not zero", () => {
    const prices = new Prices(catalog("v1"), {});
    expect(prices.of(call({ reported_nanos: 7 }))).toEqual({ cost_nanos: 7, price: "worker" });
    expect(prices.of(call())).toEqual({
      cost_nanos: (3_000 + 1_500 + 3_000 + 3_750) * 1_000,
      price: "catalog v1",
    });
    expect(prices.of(call({ model: "unheard" }))).toEqual({ cost_nanos: 0, price: "none" });
    expect(prices.of(call({ incomplete: true })).price).toBe("none");
    const cut = call({ input: 0, output: 0, cache_read: 0, cache_write: 0 });
    expect(prices.of(cut).price).toBe("none");
    expect(prices.of(call({ model: "constructor", provider: "__proto__" })).price).toBe("none");
  });

  it("[U34] an override that says unpriced takes the price of a call of the past away; one nobody speaks of keeps its price", () => {
    const prices = new Prices(catalog("v1"), { "*/secret": "unpriced", "*/local": "free" });
    expect(prices.currentPrice(call({ model: "secret" }))).toEqual({ cost_nanos: 0, price: "none" });
    expect(prices.currentPrice(call({ model: "secret", incomplete: true }))?.price).toBe("incomplete");
    expect(prices.currentPrice(call({ model: "local", incomplete: true }))?.price).toBe("override */local");
    expect(prices.currentPrice(call({ model: "unheard" }))).toBeUndefined();
    expect(prices.currentPrice(call())?.price).toBe("catalog v1");
  });

  it("[U1] a provider we do not know resells at the maker's price; one we know has its own", () => {
    const prices = new Prices(catalog("v1"), {});
    expect(prices.of(call({ provider: "my-agent" })).price).toBe("catalog v1");
    expect(prices.of(call({ provider: "gateway", model: "anthropic/sonnet" })).price).toBe("catalog v1");
    expect(prices.of(call({ provider: "openai" })).price).toBe("none");
  });

  it("[U1] tiers hold for the whole call, from above their threshold on", () => {
    const rates = catalog("v1").find("openai", "tiered");
    const cost = (input: number): number =>
      costNanos(rates!, { input, output: 10, cache_read: 0, cache_write: 0 }, 0);
    expect([cost(1_000), cost(1_001)]).toEqual([1_020_000, 2_042_000]);
  });

  it("[U40] rates change with the date and the hour, and tokens that are cached for an hour have their own", () => {
    const rates = Catalog.parse(
      JSON.stringify({
        version: "v",
        models: {
          m: {
            m: {
              input: 1,
              output: 1,
              cache_write: 2,
              cache_write_1h: 4,
              changes: [
                { from: "2026-06-01", until: "2026-07-01", input: 10, output: 1 },
                { from: "2026-07-01", input: 20, output: 1 },
                { hours: ["23:00", "01:30"], input: 5, output: 1 },
              ],
            },
          },
        },
      }),
    ).find("m", "m");
    const cost = (time: string, change: object = {}): number =>
      costNanos(rates!, { input: 10, output: 0, cache_read: 0, cache_write: 0, ...change }, Date.parse(time));
    expect(cost("2026-05-31T22:59:59Z")).toBe(10_000);
    expect(cost("2026-06-01T12:00:00Z")).toBe(100_000);
    expect(cost("2026-07-01T12:00:00Z")).toBe(200_000);
    expect([
      cost("2026-07-01T23:00:00Z"),
      cost("2026-07-02T01:29:59Z"),
      cost("2026-07-02T01:30:00Z"),
    ]).toEqual([50_000, 50_000, 200_000]);
    expect(cost("2026-01-01T12:00:00Z", { cache_write: 10, cache_write_1h: 4 })).toBe(
      10_000 + 12_000 + 16_000,
    );
  });

  it.each([
    ["anthropic", "claude-opus-4-5"],
    ["anthropic", "claude-opus-4-6"],
    ["anthropic", "claude-sonnet-4-5"],
    ["anthropic", "claude-sonnet-4-5-20250929"],
    ["anthropic", "claude-sonnet-4-6"],
    ["anthropic", "claude-haiku-4-5"],
    ["anthropic", "claude-sonnet-4-20250514"],
    ["openai", "gpt-5"],
    ["openai", "gpt-5-mini"],
    ["openai", "gpt-5.1"],
    ["openai", "gpt-5.6-sol"],
    ["openai", "gpt-4.1"],
    ["openai", "gpt-4o"],
    ["openai", "gpt-4o-mini"],
    ["openai", "o3"],
    ["google", "gemini-2.5-pro"],
    ["google", "gemini-2.5-flash"],
    ["google", "gemini-3-pro-preview"],
    ["google", "gemini-3.1-pro-preview"],
    ["deepseek", "deepseek-chat"],
    ["deepseek", "deepseek-v4-pro"],
    ["xai", "grok-4"],
  ])(
    "[U40] %s/%s costs what the reference says, at 60, 250 and 300 thousand tokens, at all hours",
    (provider, model) => {
      const rates = Catalog.shipped().find(provider, model);
      for (const sent of [60_000, 250_000, 300_000])
        for (const time of ["2025-12-01T12:00:00Z", "2026-11-18T02:00:00Z", "2026-11-18T20:00:00Z"]) {
          const reference = calcPrice(
            { input_tokens: sent, cache_read_tokens: 10_000, output_tokens: 2_000 },
            model,
            { providerId: provider === "xai" ? "x-ai" : provider, timestamp: new Date(time) },
          );
          const tokens = { input: sent - 10_000, output: 2_000, cache_read: 10_000, cache_write: 0 };
          expect([sent, time, costNanos(rates!, tokens, Date.parse(time))]).toEqual([
            sent,
            time,
            Math.round((reference?.total_price ?? 0) * 1e9),
          ]);
        }
    },
  );

  it("[U76] the fast mode, searches and images have their prices; where one is not known, the price is not", () => {
    const prices = new Prices(Catalog.shipped(), {
      "mine/*": { input: 1, output: 2, fast: { input: 3, output: 4 }, search: 0.02, image: 0.5 },
      "ours/*": { input: 1, output: 2 },
      "home/*": "free",
    });
    const call = {
      input: 1_000,
      output: 100,
      cache_read: 0,
      cache_write: 0,
      time: Date.now(),
      incomplete: false,
    };
    const of = (provider: string, model: string, more: object) =>
      prices.of({ ...call, provider, model, reported_nanos: null, ...more });
    expect(of("mine", "m", {}).cost_nanos).toBe(1_200_000);
    expect(of("mine", "m", { fast: true }).cost_nanos).toBe(3_400_000);
    expect(of("mine", "m", { searches: 2, images: 1 }).cost_nanos).toBe(1_200_000 + 540_000_000);
    for (const more of [{ fast: true }, { searches: 1 }, { images: 1 }]) {
      expect(of("ours", "m", more)).toEqual({ cost_nanos: 0, price: "none" });
      expect(of("home", "m", more)).toMatchObject({ cost_nanos: 0, price: "override home/*" });
      // A worker's report has all of it, what it computed from a catalog of its own has not.
      expect(of("ours", "m", { ...more, reported_nanos: 7 }).price).toBe("worker");
      const computed = { reported_nanos: 7, reported_by_catalog: true };
      expect(of("ours", "m", { ...more, ...computed })).toEqual({ cost_nanos: 0, price: "none" });
    }
    const { price, cost_nanos } = of("anthropic", "claude-opus-5-5", { fast: true, searches: 1 });
    expect([price, cost_nanos]).toEqual([expect.stringMatching(/^catalog/), 1_000 * 8e3 + 100 * 40e3 + 10e6]);
  });

  it("[U40] a dated name is the model's, with or without the date; a model on one's own machine is not the maker's", () => {
    const shipped = Catalog.shipped();
    const known = shipped.find("anthropic", "claude-sonnet-4-5");
    expect(known).toBeDefined();
    for (const name of [
      "claude-sonnet-4-5-20991231",
      "claude-sonnet-4-5@20991231",
      "claude-sonnet-4-5-latest",
    ])
      expect(shipped.find("anthropic", name)).toEqual(known);
    const dated = Catalog.parse(
      JSON.stringify({
        version: "v",
        models: { p: { "m-20250101": { input: 1, output: 1 }, "m-20260101": { input: 2, output: 2 } } },
      }),
    );
    expect(dated.find("p", "m")).toMatchObject({ input: 2 });
    expect(dated.find("p", "m-20240101")).toMatchObject({ input: 2 });
    expect(dated.find("p", "m2")).toBeUndefined();
    for (const provider of ["ollama", "LMStudio", "vllm"])
      expect(shipped.find(provider, "mistral-nemo")).toBeUndefined();
    expect(shipped.find("a-gateway", "mistral-nemo")).toBeDefined();
  });

  it("[U41] the catalog goes before a worker's own; where it has no price, the worker's holds", () => {
    const prices = new Prices(catalog("v2", 6), { "*/secret": "unpriced" });
    const own = { reported_nanos: 7, reported_by_catalog: true };
    expect(prices.of(call(own)).price).toBe("catalog v2");
    expect(prices.of(call({ ...own, model: "unheard" }))).toEqual({ cost_nanos: 7, price: "worker" });
    expect(prices.of(call({ ...own, model: "secret" })).price).toBe("none");
  });

  it("[U2] the operator's overrides go first, by pattern; free is known to cost nothing", () => {
    const prices = new Prices(catalog("v1"), {
      "local/*": "free",
      "anthropic/son*": { input: 1, output: 1, cache_read: 1, cache_write: 1, always: true },
      "openai/tiered": "unpriced",
      "*": { input: 2, output: 2 },
    });
    expect(prices.of(call({ provider: "local", model: "a/b" }))).toEqual({
      cost_nanos: 0,
      price: "override local/*",
    });
    expect(prices.of(call({ reported_nanos: 7 }))).toEqual({
      cost_nanos: 12_100_000,
      price: "override anthropic/son*",
    });
    expect(prices.of(call({ provider: "openai", model: "tiered" })).price).toBe("none");
    expect(prices.of(call({ provider: "x", model: "y" }))).toEqual({
      cost_nanos: 24_200_000,
      price: "override *",
    });
  });

  it("[U1] the shipped catalog has prices for what people use, and none that is nothing", () => {
    const { file, size, version } = Catalog.shipped();
    expect(size).toBeGreaterThan(2_000);
    expect(version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(Object.keys(file.models)).toEqual(
      expect.arrayContaining(["anthropic", "openai", "google", "cohere"]),
    );
    const all = Object.values(file.models).flatMap((models) => Object.values(models));
    expect(all.filter(({ input, output }) => input + output <= 0)).toEqual([]);
    expect(() => Catalog.parse(JSON.stringify(file))).not.toThrow();
  });
});

describe("a catalog from elsewhere", () => {
  it("[U3] is read from a file or an address, kept, and asked for again with its etag; a bad one changes nothing", async () => {
    const home = mkdtempSync(join(tmpdir(), "patchbay-prices-"));
    const seen: (string | undefined)[] = [];
    let body = JSON.stringify(catalog("far", 5).file);
    const server = createServer((request, response) => {
      seen.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(body);
    }).listen(0);
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/p.json?key=secret`;
      const versions: string[] = [];
      const problems: string[] = [];
      const open = (source: string) =>
        new CatalogSource({
          source,
          home,
          changed: ({ version }) => versions.push(version),
          failed: (problem) => problems.push(problem),
        });
      const first = open(address);
      await first.refresh();
      await first.refresh();
      expect([versions, seen]).toEqual([["far"], [undefined, '"1"']]);
      // The next start has it before it asks.
      const second = open(address);
      await second.start(3_600_000);
      await second.stop();
      expect([versions, seen.at(-1)]).toEqual([["far", "far"], '"1"']);
      body = '{"version":"bad","models":{"a":{"b":{"input":-1,"output":1}}}}';
      const other = open(address.replace("p.json", "q.json"));
      await other.refresh();
      expect(versions).toHaveLength(2);
      expect(other.problem).toMatch(/could not be read from .*q\.json: models\.a\.b\.input.* stays in use/);
      expect(problems.join()).not.toContain("secret");
      body = "x".repeat(9 * 1024 * 1024);
      await other.refresh();
      expect(other.problem).toContain("larger than 8 MiB");
      const path = join(home, "own.json");
      writeFileSync(path, JSON.stringify(catalog("near").file));
      await open(path).refresh();
      expect(versions.at(-1)).toBe("near");
      expect(JSON.parse(readFileSync(join(home, "prices.json"), "utf8"))).toMatchObject({ source: path });
    } finally {
      server.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});

describe("repricing", () => {
  const models = ["sonnet", "unheard"] as const;
  const entries = fc.array(
    fc.record({
      session: fc.constantFrom("a", "b", "c"),
      minutes: fc.integer({ min: 0, max: 3_000 }),
      turn: fc.integer({ min: 0, max: 3 }),
      model: fc.constantFrom(...models),
      input: fc.integer({ min: 0, max: 9_999 }),
      reported: fc.option(fc.integer({ min: 0, max: 99_999 })),
    }),
    { maxLength: 40 },
  );

  it("[U4] changes entries and sums alike, says what it changed, and changes nothing twice", async () => {
    await using opened = await openStore();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(entries, async (given) => {
        const { store } = opened;
        const old = new Prices(catalog("old"), {});
        const fresh = new Prices(catalog("new", 4), { "anthropic/unheard": { input: 1, output: 1 } });
        const prefix = `${run++}-`;
        const made = given.map((one, index): LedgerEntry => {
          const tokens = { input: one.input, output: 1, cache_read: 0, cache_write: 0 };
          const names = { provider: "anthropic", model: one.model };
          return {
            session: prefix + one.session,
            seq: index + 1,
            time: new Date(1_000_000_000_000 + one.minutes * 60_000).toISOString(),
            turn: one.turn,
            person: prefix,
            cwd: "/",
            branch: "",
            worker: "w",
            ...names,
            ...tokens,
            thinking: 0,
            ...old.of({ ...tokens, ...names, time: 0, reported_nanos: one.reported, incomplete: false }),
          };
        });
        await store.record(made);
        const reprice = (dryRun: boolean) =>
          store.reprice(
            {
              query: { where: { person: prefix }, sources: ["catalog", "override", "none"] },
              by: "me",
              reason: "new list",
              catalog: "new",
              dryRun,
            },
            (entry) => fresh.byRates({ ...entry, time: 0, reported_nanos: null, incomplete: false }),
            () => {},
          );
        const dry = await reprice(true);
        const done = await reprice(false);
        const totals = ({ id: _id, time: _time, ...rest }: typeof done) => rest;
        expect(totals(done)).toEqual(totals(dry));
        expect((await reprice(false)).entries).toBe(0);
        const expected = made.map((entry) =>
          entry.price === "worker"
            ? entry
            : { ...entry, ...fresh.of({ ...entry, time: 0, reported_nanos: null, incomplete: false }) },
        );
        const sum = (of: readonly LedgerEntry[]) =>
          of.reduce((total, { cost_nanos }) => total + cost_nanos, 0);
        expect(done.after_nanos - done.before_nanos).toBe(sum(expected) - sum(made));
        const where = { person: prefix };
        for (const groupBy of [[], ["model"], ["session"], ["day", "model"]] as const) {
          const rows = await store.queryLedger({ groupBy, where });
          expect(Math.round(rows.reduce((total, { usage }) => total + usage.cost_usd * 1e9, 0))).toBe(
            sum(expected),
          );
          expect(rows.reduce((total, { usage }) => total + (usage.unpriced ?? 0), 0)).toBe(0);
        }
        const turns = await store.expensiveTurns({ where }, 100);
        expect(Math.round(turns.reduce((total, { usage }) => total + usage.cost_usd * 1e9, 0))).toBe(
          sum(expected),
        );
      }),
      { numRuns: 20 },
    );
    expect((await opened.store.listRepricings(1))[0]).toMatchObject({
      by: "me",
      reason: "new list",
      finished: true,
    });
  });
});
