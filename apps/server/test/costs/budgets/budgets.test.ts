// Budgets as they are counted: pure where they can be, with a real store where they must outlive a restart.
import type { BudgetTerms } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budgets } from "../../../src/costs/budgets/budgets.ts";
import { forecastOf } from "../../../src/costs/budgets/forecast.ts";
import { periodAt } from "../../../src/costs/budgets/periods.ts";
import { Tally } from "../../../src/costs/budgets/tally.ts";
import { realPath } from "../../../src/machine/files/real-path.ts";
import { importedWorker } from "../../../src/store/imported.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import type { Store } from "../../../src/store/store.ts";
import { openStore } from "../../support/open-store.ts";

const terms = (change: Partial<BudgetTerms> = {}): BudgetTerms => ({
  name: "b",
  scope: "everything",
  target: null,
  period: "total",
  time_zone: "UTC",
  limit_usd: 1,
  kind: "hard",
  warn_percent: 80,
  unpriced: "refuse",
  ...change,
});

const spender = { session: "s", person: "p", cwd: "/code/api/src", worker: "w" };

let seq = 0;
const entry = (nanos: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...spender,
  seq: ++seq,
  time: new Date().toISOString(),
  turn: 1,
  branch: "",
  provider: "p",
  model: "m",
  input: 1,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_nanos: nanos,
  price: "worker",
  ...change,
});

const quiet = { info: () => {}, warn: () => {} };
const open = async (store: Store, configured: BudgetTerms[] = []): Promise<Budgets> => {
  const budgets = new Budgets({ store, configured, log: quiet, realPath });
  await budgets.load();
  return budgets;
};

describe("a forecast", () => {
  const day = 86_400_000;
  const noon = Date.UTC(2026, 4, 20, 12);
  /** In micro-dollars, as the limit of 100. */
  const pace = (today: number, daily: number) => ({
    ...{ now: noon, tomorrow: noon + day / 2 },
    ...{ today: today * 1_000, daily: daily * 1_000 },
  });
  const standing = (micros: number, period = periodAt(noon, "month", "UTC")) => ({
    ...{ target: "", period, nanos: micros * 1_000, limit: 100_000, granted: 0, unpriced: 0 },
    state: micros >= 100 ? ("over" as const) : ("ok" as const),
  });

  it("[U301] goes on at the average pace until the period ends, and names when the limit is reached", () => {
    // The rest of the 20th is 2, then 11 days of 4.
    expect(forecastOf(standing(50), pace(2, 4))).toEqual({
      daily_usd: 0.000004,
      forecast_usd: 0.000096,
      reached_at: null,
    });
    expect(forecastOf(standing(82), pace(2, 4))).toMatchObject({
      forecast_usd: 0.000128,
      reached_at: "2026-05-25T00:00:00.000Z",
    });
    expect(forecastOf(standing(99), pace(2, 4)).reached_at).toBe("2026-05-20T18:00:00.000Z");
  });

  it("[U301] has no time when the limit is reached already, and none without spending", () => {
    expect(forecastOf(standing(100), pace(2, 4))).toMatchObject({ reached_at: null });
    expect(forecastOf(standing(20), pace(0, 0))).toEqual({
      daily_usd: 0,
      forecast_usd: 0.00002,
      reached_at: null,
    });
  });

  it("[U301] of a budget without an end is only the time of its limit", () => {
    const always = periodAt(noon, "total", "UTC");
    const made = forecastOf(standing(90, always), pace(4, 4));
    expect(made).toEqual({ daily_usd: 0.000004, reached_at: "2026-05-23T12:00:00.000Z" });
  });

  it("[U301] is made for each target from what that target spent, without what was imported", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
    await store.record([
      entry(8e9, { time: ago(2), cwd: "/a" }),
      entry(2e9, { time: ago(1), cwd: "/a/below" }),
      entry(6e9, { time: ago(2), cwd: "/b" }),
      entry(900e9, { time: ago(1), cwd: "/a", worker: importedWorker("pi") }),
    ]);
    const budgets = await open(store, [
      terms({ name: "a", scope: "project", target: "/a" }),
      terms({ name: "all", scope: "everything" }),
      terms({ name: "session", scope: "session", target: "s" }),
      terms({ name: "turn", period: "turn" }),
    ]);
    const listed = await budgets.listWithForecasts();
    expect(listed.map(({ name, status }) => [name, status[0]?.daily_usd])).toEqual([
      ["a", 5],
      ["all", 8],
      ["session", 8],
      ["turn", undefined],
    ]);
  });
});

describe("what was spent outside", () => {
  it("[Y57] is held against no budget", async () => {
    await using opened = await openStore();
    const { seq: _seq, ...call } = entry(5e9, { session: "pi:x", worker: importedWorker("pi") });
    await opened.store.recordImported([{ ...call, call: "c" }]);
    await opened.store.record([entry(7_000)]);
    for (const scope of ["everything", "project"] as const) {
      const budgets = await open(opened.store, [terms({ scope })]);
      expect(budgets.refusal(spender)).toBeUndefined();
      expect(budgets.listFor(spender)).toMatchObject([{ status: [{ spent_usd: 0.000007 }] }]);
    }
  });
});

describe("periods", () => {
  it("[U10] days, weeks from Monday and months are those of the budget's time zone, also when its clocks change", () => {
    const iso = (...[time, period, zone]: [string, BudgetTerms["period"], string]) => {
      const { from, to } = periodAt(Date.parse(time), period, zone);
      return [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
    };
    expect(iso("2026-03-29T12:00:00Z", "day", "Europe/Berlin")).toEqual([
      "2026-03-28T23:00",
      "2026-03-29T22:00",
    ]);
    expect(iso("2026-03-29T12:00:00Z", "week", "Europe/Berlin")).toEqual([
      "2026-03-22T23:00",
      "2026-03-29T22:00",
    ]);
    expect(iso("2026-01-01T01:00:00Z", "month", "America/New_York")).toEqual([
      "2025-12-01T05:00",
      "2026-01-01T05:00",
    ]);
    expect(iso("2026-11-16T18:20:00Z", "day", "Asia/Kathmandu")).toEqual([
      "2026-11-16T18:15",
      "2026-11-17T18:15",
    ]);
  });

  it("[U10] every moment lies in its period, and the next one begins where it ends", () => {
    const zones = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "America/New_York",
      "Asia/Tehran",
      "Africa/Cairo",
      // These set their clocks at midnight.
      "Atlantic/Azores",
      "America/Havana",
      "America/Santiago",
      "America/Asuncion",
      "Asia/Beirut",
    );
    const times = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2032, 0) });
    fc.assert(
      fc.property(times, zones, fc.constantFrom("day", "week", "month"), (time, zone, period) => {
        const { from, to } = periodAt(time, period, zone);
        expect(from <= time && time < to).toBe(true);
        expect(periodAt(to, period, zone).from).toBe(to);
        expect(periodAt(to - 1, period, zone)).toEqual({ from, to });
      }),
      { numRuns: 300 },
    );
  });
});

describe("a tally", () => {
  it("[U11] counts for those it is meant for: one, each for itself, a directory with what is below it", () => {
    const target = (change: Partial<BudgetTerms>) => new Tally(terms(change), 0).targetOf(spender);
    expect(target({})).toBe("");
    expect(target({ scope: "project", target: "/code/api" })).toBe("/code/api");
    expect(target({ scope: "project", target: "/code/ap" })).toBeUndefined();
    expect(target({ scope: "project" })).toBe("/code/api/src");
    expect(target({ scope: "worker", target: "x" })).toBeUndefined();
    expect(target({ scope: "person" })).toBe("p");
    expect(target({ scope: "worker", target: "w", period: "turn" })).toBe("s");
  });

  it("[U12] people are told once for each period: of the warning, then of the limit", () => {
    const day = terms({ period: "day" });
    const tally = new Tally(day, 0);
    const crossed = (nanos: number, time = 1) => tally.add("", time, { nanos, unpriced: 0 })?.crossed;
    expect([crossed(790e6), crossed(10e6), crossed(1), crossed(199_999_999), crossed(1)]).toEqual([
      null,
      "warned",
      null,
      "exceeded",
      null,
    ]);
    tally.grant("", 1e9);
    expect(tally.status("", 1)).toMatchObject({ limit: 2e9, state: "ok" });
    expect([crossed(700e6), crossed(300e6)]).toEqual(["warned", "exceeded"]);
    const tomorrow = 24 * 3_600_000;
    expect(crossed(5, tomorrow)).toBeNull();
    expect(tally.status("", tomorrow)).toMatchObject({ nanos: 5, limit: 1e9, granted: 0 });
  });

  it("[U13] unpriced calls are not spent money, and are said", () => {
    const tally = new Tally(terms(), 0);
    tally.add("", 1, { nanos: 0, unpriced: 1 });
    expect(tally.status("", 1)).toMatchObject({ nanos: 0, unpriced: 1, state: "ok" });
  });
});

describe("budgets", () => {
  it("[U56] count the estimate of a call that was cut, and the truth when it is known", async () => {
    await using opened = await openStore();
    const budgets = await open(opened.store, [terms({ name: "fixed", limit_usd: 1, kind: "hard" })]);
    const bounds = { certainty: "estimated", low_nanos: 1, high_nanos: 9e9 } as const;
    const cut = entry(600e6, bounds);
    expect(budgets.spend(cut).stop).toBeUndefined();
    expect(budgets.spend(entry(600e6, bounds)).stop).toBeDefined();
    expect(budgets.refusal(spender)).toBeDefined();
    budgets.repriced([{ entry: cut, cost_nanos: 300e6, price: "worker", certainty: "exact" }]);
    expect(budgets.refusal(spender)).toBeUndefined();
  });

  it("[U14] what was spent, told and granted survives a restart; limits hold across it", async () => {
    await using opened = await openStore();
    let budgets = await open(opened.store, [terms({ name: "fixed", limit_usd: 9 })]);
    const each = await budgets.create(terms({ name: "each", scope: "session", period: "month" }), "me");
    const spend = async (nanos: number) => {
      const call = entry(nanos);
      const { notices, stop } = budgets.spend(call);
      await opened.store.record([call]);
      budgets.written(call.session, call.seq);
      return [notices.map(({ event }) => event), stop?.budget ?? null];
    };
    expect(await spend(900e6)).toEqual([["warned"], null]);
    expect(budgets.refusal(spender)).toBeUndefined();
    budgets = await open(await opened.reopen());
    expect(await spend(50e6)).toEqual([[], null]); // the warning was given before
    expect(await spend(60e6)).toEqual([[], each.id]);
    expect(budgets.refusal(spender)).toMatchObject({
      budget: each.id,
      message: expect.stringContaining('"each" has reached its limit, $1.01 of $1.00 this month'),
    });
    expect(budgets.refusal({ ...spender, session: "other" })).toBeUndefined();
    const changes: unknown[] = [];
    budgets.onChange((sessions, { event }) => changes.push([sessions, event]));
    await expect(budgets.grant(each.id, { amount_usd: 1, reason: "r" }, "me")).rejects.toThrow("Name one");
    await budgets.grant(each.id, { amount_usd: 1, reason: "a release", target: "s" }, "me");
    expect(changes).toEqual([[["s"], "granted"]]);
    budgets = await open(await opened.reopen());
    expect(budgets.refusal(spender)).toBeUndefined();
    expect(budgets.listFor(spender)).toMatchObject([
      { name: "each", status: [{ spent_usd: 1.01, limit_usd: 2, granted_usd: 1, state: "ok" }] },
    ]);
    await budgets.change(each.id, { limit_usd: 0.5, kind: "soft", reason: "too much" }, "me");
    expect(budgets.refusal(spender)).toBeUndefined(); // it only warns now
    const events = await budgets.events(each.id, 10);
    expect(events.map(({ event }) => event).toSorted()).toEqual(
      ["created", "warned", "exceeded", "refused", "granted", "changed"].toSorted(),
    );
    expect(events.find(({ event }) => event === "granted")).toMatchObject({
      by: "me",
      reason: "a release",
      amount_usd: 1,
    });
  });

  it("[U15] a budget that is made while others spend starts from exactly what was spent", async () => {
    await using opened = await openStore();
    const { store } = opened;
    const budgets = await open(store, [terms({ name: "first", kind: "soft" })]);
    let billed = 0;
    for (let round = 0; round < 8; round++) {
      const calls = Array.from({ length: 5 }, () => entry(7 + round));
      const writes = calls.map(async (call) => {
        billed += call.cost_nanos;
        budgets.spend(call);
        await store.record([call]);
        budgets.written(call.session, call.seq);
      });
      const made = budgets.create(terms({ name: `later ${round}`, kind: "soft" }), "me");
      const late = entry(1);
      billed += 1;
      budgets.spend(late);
      writes.push(store.record([late]).then(() => budgets.written(late.session, late.seq)));
      await Promise.all([made, ...writes]);
    }
    expect(
      new Set(
        (await budgets.listWithForecasts()).map(({ status }) =>
          Math.round((status[0]?.spent_usd ?? 0) * 1e9),
        ),
      ),
    ).toEqual(new Set([billed]));
  });

  it("[U16] those of the config file are read-only, and can be granted more", async () => {
    await using opened = await openStore();
    const budgets = await open(opened.store, [terms({ name: "fixed" })]);
    await expect(budgets.change("config:fixed", { limit_usd: 2 }, "me")).rejects.toThrow("config file");
    await expect(budgets.remove("config:fixed", "over", "me")).rejects.toThrow("config file");
    const granted = await budgets.grant("config:fixed", { amount_usd: 0.5, reason: "r" }, "me");
    expect(granted).toMatchObject({ source: "config", status: [{ limit_usd: 1.5 }] });
  });
});
