// Discounts and the display currency: from the config file and the page, to the price of a call everywhere that it is told.
import type { CostSettingsInfo } from "@patchbay/protocol";
import { startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { Catalog } from "../../../src/costs/prices/catalog.ts";
import { DiscountList } from "../../../src/costs/prices/discounts.ts";
import { Prices } from "../../../src/costs/prices/prices.ts";
import { CostSettings } from "../../../src/costs/settings/cost-settings.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { actorConfig, openSession } from "../../support/actor.ts";
import { spentAt, writeLedger } from "../../support/ledger-entry.ts";
import { openStore } from "../../support/open-store.ts";

const call = {
  ...{ input: 100_000, output: 0, cache_read: 0, cache_write: 0, incomplete: false },
  ...{
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    time: Date.UTC(2026, 10, 18),
    reported_nanos: null,
  },
};
const listNanos = 300_000_000;

const pricesWith = (...discounts: ConstructorParameters<typeof DiscountList>[0]): Prices => {
  const prices = new Prices(Catalog.shipped(), { "openai/*": { input: 2, output: 2 } });
  prices.discounts = new DiscountList(discounts);
  return prices;
};

describe("a discount", () => {
  it("[U130] reduces list prices, the catalog's and an agent's, from its first day until the day on which it is over", () => {
    const prices = pricesWith({ match: "anthropic/*", percent: 15, from: "2026-11-18", until: "2026-12-01" });
    expect(prices.of(call)).toMatchObject({ cost_nanos: 0.85 * listNanos, list_nanos: listNanos });
    expect(prices.of({ ...call, reported_nanos: 1_001 })).toEqual({
      ...{ cost_nanos: 851, list_nanos: 1_001, price: "worker" },
    });
    for (const time of [Date.UTC(2026, 10, 17, 23, 59), Date.UTC(2026, 11, 1)])
      expect(prices.of({ ...call, time })).toEqual({ cost_nanos: listNanos, price: expect.any(String) });
    expect(prices.of({ ...call, provider: "google", model: "gemini-3-pro", reported_nanos: 5 })).toEqual({
      ...{ cost_nanos: 5, price: "worker" },
    });
  });

  it("[U130] is the first that matches, leaves the operator's own prices, and invents no price", () => {
    const prices = pricesWith(
      { match: "anthropic/claude-sonnet*", percent: 50 },
      { match: "*", percent: 10 },
    );
    expect(prices.of(call).cost_nanos).toBe(0.5 * listNanos);
    const own = prices.of({ ...call, provider: "openai", model: "gpt-5" });
    expect(own).toEqual({ cost_nanos: 200_000_000, price: "override openai/*" });
    expect(prices.of({ ...call, provider: "ollama", model: "x" })).toEqual({ cost_nanos: 0, price: "none" });
  });

  it("[U131] is told with the call: in session, transcript, ledger, rows and FOCUS, and follows a repricing", async () => {
    await using server = await startServer({
      config: actorConfig({ prices: { discounts: [{ match: "*", percent: 25 }] } }),
    });
    await using viewer = await openSession(server);
    await spend(viewer, 0.08);
    expect(viewer.session?.usage.cost_usd).toBe(0.06);
    expect(viewer.transcript.usage.cost_usd).toBe(0.06);
    const rows = async () =>
      ((await server.call("GET", "/api/usage/calls")).body as { calls: object[] }).calls;
    expect(await rows()).toMatchObject([{ cost_usd: 0.06, list_usd: 0.08, price: "worker" }]);
    const [head = "", charge = ""] = (await server.call("GET", "/api/usage/focus.csv")).text.split("\r\n");
    const cell = (name: string): string | undefined => charge.split(",")[head.split(",").indexOf(name)];
    expect(["ListCost", "ContractedCost", "EffectiveCost", "BilledCost"].map(cell)).toEqual([
      ...["0.08", "0.06", "0.06", "0.06"],
    ]);
    const total = (await server.call("GET", "/api/usage")).body as { total: { cost_usd: number } };
    expect(total.total.cost_usd).toBe(0.06);
  });

  it("[U131] holds for past calls when they are repriced", async () => {
    const past = spentAt(Date.UTC(2026, 9, 1), 0.3, {
      ...{ provider: "anthropic", model: "claude-sonnet-4-5", price: "catalog 1" },
      ...{ input: 100_000, output: 0 },
    });
    await using server = await startServer({ prepare: (home) => writeLedger(home, [past]) });
    await server.call("PATCH", "/api/costs/settings", { discounts: [{ match: "anthropic/*", percent: 20 }] });
    await server.call("POST", "/api/prices/reprice", { reason: "the contract of October" });
    expect((await server.call("GET", "/api/usage/calls")).body).toMatchObject({
      calls: [{ cost_usd: 0.24, list_usd: 0.3 }],
    });
    await server.call("PATCH", "/api/costs/settings", { discounts: [] });
    await server.call("POST", "/api/prices/reprice", { reason: "it was none" });
    expect((await server.call("GET", "/api/usage/calls")).body).toMatchObject({
      calls: [{ cost_usd: 0.3, list_usd: 0.3 }],
    });
  });
});

const spend = async (viewer: TestViewer, cost: number): Promise<void> => {
  const turns = viewer.transcript.marks.length;
  await viewer.ask({ type: "prompt", message: `usage 10 1 ${cost}` });
  await viewer.until(() => viewer.transcript.marks.length > turns && viewer.session?.state === "idle");
};

describe("cost settings", () => {
  it("[U132] of the page are kept across a restart, beside those of the config file, which stay as they are", async () => {
    await using server = await startServer({
      config: {
        prices: { discounts: [{ match: "openai/*", percent: 5 }] },
        costs: { currency: { code: "EUR", per_usd: 0.9, date: "2026-11-01" } },
      },
    });
    const settings = async (): Promise<CostSettingsInfo> =>
      ((await server.call("GET", "/api/costs/settings")).body as { settings: CostSettingsInfo }).settings;
    const own = { match: "anthropic/*", percent: 12.5, until: "2027-01-01" };
    expect((await server.call("PATCH", "/api/costs/settings", { discounts: [own] })).status).toBe(200);
    await server.kill();
    await server.start();
    expect(await settings()).toEqual({
      discounts: [
        { match: "openai/*", percent: 5, source: "config" },
        { ...own, source: "page" },
      ],
      currency: { code: "EUR", per_usd: 0.9, date: "2026-11-01", source: "config" },
    });
    const refused = await server.call("PATCH", "/api/costs/settings", { currency: null });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("config file")]);
    expect((await settings()).discounts).toHaveLength(2);
  });

  it("[U132] that no discount and no currency can be are refused with a sentence, and change nothing", async () => {
    await using server = await startServer({});
    for (const wrong of [
      { discounts: [{ match: "", percent: 5 }] },
      { discounts: [{ match: "*", percent: 0 }] },
      { discounts: [{ match: "*", percent: 101 }] },
      { discounts: [{ match: "*", percent: 5, from: "2026-02-30x" }] },
      { discounts: [{ match: "*", percent: 5, from: "2026-02-02", until: "2026-02-02" }] },
      { discounts: Array.from({ length: 201 }, () => ({ match: "*", percent: 5 })) },
      { currency: { code: "euro", per_usd: 1, date: "2026-01-01" } },
      { currency: { code: "EUR", per_usd: 0, date: "2026-01-01" } },
      { currency: { code: "EUR", per_usd: 1 } },
      { other: 1 },
    ])
      expect([wrong, (await server.call("PATCH", "/api/costs/settings", wrong)).status]).toEqual([
        wrong,
        400,
      ]);
    expect((await server.call("GET", "/api/costs/settings")).body).toEqual({
      settings: { discounts: [], currency: null },
    });
  });

  it("[U132] that are changed at the same time are applied one after the other", async () => {
    await using opened = await openStore();
    const prices = pricesWith();
    const settings = new CostSettings(opened.store.settings, { discounts: [], currency: undefined }, prices);
    await settings.load();
    const currency = { code: "CHF", per_usd: 0.8, date: "2026-11-18" };
    await Promise.all([
      settings.change({ discounts: [{ match: "*", percent: 50 }] }),
      settings.change({ currency }),
    ]);
    expect(settings.info()).toMatchObject({ discounts: [{ percent: 50 }], currency });
    expect(prices.of(call).cost_nanos).toBe(0.5 * listNanos);
  });
});

it("[U131] list prices of calls are in homes of earlier versions, too: they are what the calls cost", async () => {
  await using opened = await openStore();
  await opened.store.record([
    spentAt(Date.UTC(2026, 9, 1), 2),
    spentAt(Date.UTC(2026, 9, 2), 1, { list_nanos: 4e9 }),
  ]);
  const { DatabaseSync } = await import("@photostructure/sqlite");
  await opened.store.close();
  const database = new DatabaseSync(`${opened.home}/patchbay.db`);
  database.exec("alter table ledger drop column list_nanos");
  database.exec("delete from kysely_migration where name = '034_list_price'");
  database.close();
  opened.store = await SqliteStore.open({ home: opened.home, segmentBytes: 1_000, onWriteError: () => {} });
  const { entries } = await opened.store.ledgerEntries({}, undefined, 10);
  expect(entries.map(({ cost_nanos, list_nanos }) => [cost_nanos, list_nanos])).toEqual([
    [2e9, undefined],
    [1e9, undefined],
  ]);
});
