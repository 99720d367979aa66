// What dashboards ask of the ledger, against the real store.
import { describe, expect, it } from "vitest";
import { Catalog } from "../../src/costs/prices/catalog.ts";
import { Prices } from "../../src/costs/prices/prices.ts";
import { cacheSavings } from "../../src/costs/usage/usage-cache.ts";
import { summarise } from "../../src/costs/usage/usage-summary.ts";
import { dayStart, monthStart } from "../../src/store/calendar.ts";
import type { LedgerEntry } from "../../src/store/ledger-types.ts";
import { openStore } from "../support/open-store.ts";

const entry = (seq: number, time: string, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  session: "a",
  seq,
  time,
  turn: seq,
  person: "",
  cwd: "/tmp",
  branch: "",
  worker: "builtin",
  provider: "p",
  model: "m",
  input: 10,
  output: 2,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_nanos: 1_000_000_000,
  price: "worker",
  ...change,
});

describe("the summary", () => {
  it("[H20] compares with the same hours of yesterday and last month, and forecasts", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const now = Date.parse("2026-03-10T12:00:00Z"); // 13:00 in Berlin
    await store.record([
      entry(1, "2026-02-05T10:00:00Z"), // last month, before the tenth
      entry(2, "2026-02-20T10:00:00Z"), // last month, after it
      entry(3, "2026-03-05T10:00:00Z", { cost_nanos: 5_000_000_000 }),
      entry(4, "2026-03-08T23:30:00Z"), // yesterday already, in Berlin
      entry(5, "2026-03-09T11:59:00Z"),
      entry(6, "2026-03-09T12:01:00Z"), // yesterday, but later than now
      entry(7, "2026-03-09T23:30:00Z"), // today, in Berlin
      entry(8, "2026-03-10T11:00:00Z", { price: "none", cost_nanos: 0 }),
    ]);
    const { today, month, forecast } = await summarise(store, { now, zone: "Europe/Berlin", where: {} });
    expect(today).toMatchObject({ from: "2026-03-09T23:00:00.000Z", cost_usd: 1, unpriced: 1, calls: 2 });
    expect(today.previous).toMatchObject({ from: "2026-03-08T23:00:00.000Z", cost_usd: 2 });
    expect(month).toMatchObject({ from: "2026-02-28T23:00:00.000Z", cost_usd: 9, calls: 6 });
    expect(month.previous).toMatchObject({ cost_usd: 1, calls: 1 });
    expect(forecast.previous).toMatchObject({ cost_usd: 2 });
    // 8 dollars in the last 7 days; 9 so far, the rest of today, and 21 days more
    expect(forecast).toMatchObject({
      daily_usd: 1.142857,
      cost_usd: 33.142857,
      unpriced: 1,
      daily_unpriced: 0,
    });
    const other = await summarise(store, { now, zone: "UTC", where: { model: "another" } });
    expect(other.forecast).toMatchObject({ cost_usd: 0, daily_usd: 0 });
  });

  it("[H20] a ledger that began within the last 7 days has no days before that", async () => {
    await using opened = await openStore();
    const now = Date.parse("2026-03-10T12:00:00Z");
    const asked = { now, zone: "UTC", where: {} };
    await opened.store.record([entry(1, "2026-03-10T10:00:00Z")]);
    expect((await summarise(opened.store, asked)).forecast.daily_usd).toBe(1); // today is all there is
    await opened.store.record([
      entry(2, "2026-03-08T10:00:00Z"),
      entry(3, "2026-03-09T10:00:00Z", { model: "late", cost_nanos: 3_000_000_000 }),
    ]);
    expect((await summarise(opened.store, asked)).forecast.daily_usd).toBe(2);
    const late = await summarise(opened.store, { ...asked, where: { model: "late" } });
    expect(late.forecast.daily_usd).toBe(1.5);
  });

  it("[H21] ranks sessions, and leaves turns out of the distribution whose cost is not known", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const time = "2026-03-10T12:00:00Z";
    await store.record([
      entry(1, time, { cost_nanos: 1_500_000 }),
      entry(2, time, { cost_nanos: 30_000_000 }),
      entry(3, time, { turn: 2, cost_nanos: 5_000_000, model: "other" }),
      entry(4, time, { session: "b", cost_nanos: 40_000_000 }),
      entry(5, time, { session: "b", price: "none", cost_nanos: 0 }),
    ]);
    const ranked = await store.expensiveSessions({}, 5);
    expect(ranked.map(({ session, turns, usage }) => [session, turns, usage.cost_usd])).toEqual([
      ["b", 2, 0.04],
      ["a", 2, 0.0365],
    ]);
    expect(await store.turnCosts({ from: time })).toEqual({
      turns: 3,
      unpriced_turns: 1,
      median_usd: 0.035,
      p95_usd: 0.04,
      buckets: [
        { from_usd: 0.001, to_usd: 0.002, turns: 1, cost_usd: 0.0015 },
        { from_usd: 0.02, to_usd: 0.05, turns: 2, cost_usd: 0.075 },
      ],
    });
    expect(await store.turnCosts({ to: time })).toMatchObject({ turns: 0, median_usd: null });
  });
});

it("[H24] caching saves what reading is cheaper by, less what writing costs extra", () => {
  const usage = { calls: 1, input: 0, output: 9, cache_read: 0, cache_write: 0, thinking: 0, cost_usd: 0 };
  const row = (model: string, change: object) => ({
    keys: { provider: "anthropic", model },
    usage: { ...usage, ...change },
  });
  const prices = new Prices(Catalog.shipped(), {
    "anthropic/mine": { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
    "anthropic/secret": "unpriced",
  });
  const used = { cache_read: 1_000_000, cache_write: 200_000, input: 800_000 };
  expect(cacheSavings([row("mine", used), row("secret", { cache_read: 500_000 })], prices)).toEqual({
    input: 800_000,
    cache_read: 1_500_000,
    cache_write: 200_000,
    saved_usd: 2.55,
    unknown_cache_read: 500_000,
    hit_ratio: 0.6,
  });
  expect(cacheSavings([], prices)).toMatchObject({ hit_ratio: null, saved_usd: 0 });
});

it("[H41] yesterday by now is what the clocks showed, also where they were changed in between", async () => {
  await using opened = await openStore();
  const { store } = opened;
  // In Berlin the clocks were set forward at 02:00 of the 29th: 12:00 was 11:00Z on the 28th and is 10:00Z now.
  await store.record([
    entry(1, "2026-03-28T10:50:00Z"),
    entry(2, "2026-03-28T11:10:00Z"),
    entry(3, "2026-02-28T11:30:00Z", { cost_nanos: 5_000_000_000 }), // last month, after the 28th at 12:00
  ]);
  const at = (time: string) => summarise(store, { now: Date.parse(time), zone: "Europe/Berlin", where: {} });
  expect((await at("2026-03-29T10:00:00Z")).today.previous).toMatchObject({ cost_usd: 1 });
  expect((await at("2026-03-28T11:00:00Z")).month.previous).toMatchObject({ cost_usd: 0 });
  // February has no 31st: all of it is compared with.
  expect((await at("2026-03-31T08:00:00Z")).month.previous).toMatchObject({ cost_usd: 5 });
});

it("[H41] entries of any year are summed by day at once", async () => {
  await using opened = await openStore();
  const { store } = opened;
  await store.record([entry(1, "0001-01-01T00:00:00Z"), entry(2, "9999-12-31T00:00:00Z")]);
  const rows = await store.queryLedger({ groupBy: ["day"], timeZone: "Europe/Berlin" });
  expect(rows.map(({ usage }) => usage.calls)).toEqual([1, 1]);
});

describe("the calendar", () => {
  it.each([
    ["2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["2026-10-25T12:00:00Z", "Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
    ["2026-05-01T20:00:00Z", "Asia/Kathmandu", "2026-05-01T18:15:00.000Z", "2026-05-02T18:15:00.000Z"],
    // Days without a midnight, and one with two.
    ["2026-09-06T12:00:00Z", "America/Santiago", "2026-09-06T04:00:00.000Z", "2026-09-07T03:00:00.000Z"],
    ["2026-03-08T12:00:00Z", "America/Havana", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
    ["2026-11-01T12:00:00Z", "America/Havana", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
    ["2026-01-01T02:00:00Z", "America/New_York", "2025-12-31T05:00:00.000Z", "2026-01-01T05:00:00.000Z"],
  ])("[H22] %s in %s is a day of that zone", (time, zone, start, end) => {
    const at = Date.parse(time);
    expect(new Date(dayStart(at, zone)).toISOString()).toBe(start);
    expect(new Date(dayStart(at, zone, 1)).toISOString()).toBe(end);
    expect(monthStart(at, zone)).toBeLessThanOrEqual(dayStart(at, zone));
    expect(monthStart(at, zone, 1)).toBeGreaterThanOrEqual(dayStart(at, zone, 1));
  });
});
