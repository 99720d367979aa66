// The limits in the chart and the outlook of a budget: what the page answers to "will we exceed it?".
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { budgetAddress } from "../../src/costs/budgets/data/budget-address.ts";
import { outlookOf, rateOf } from "../../src/costs/budgets/data/outlook.ts";
import { type Now, sortRunning, type UsageRow } from "../../src/costs/data/api.ts";
import { limitsOf, runningTotal, totalSpan } from "../../src/costs/data/limit.ts";
import { spanOf, viewerZone } from "../../src/costs/data/span.ts";

const status = (change: Partial<BudgetStatus> = {}): BudgetStatus => ({
  target: "",
  from: "2026-05-01T00:00:00.000Z",
  to: "2026-06-01T00:00:00.000Z",
  spent_usd: 4,
  limit_usd: 10,
  granted_usd: 0,
  state: "ok",
  unpriced_calls: 0,
  ...change,
});

const budget = (change: Partial<Budget> = {}): Budget => ({
  id: "b",
  name: "b",
  scope: "everything",
  target: null,
  period: "month",
  time_zone: viewerZone(),
  limit_usd: 10,
  kind: "hard",
  warn_percent: 80,
  unpriced: "refuse",
  source: "api",
  created_at: null,
  created_by: "",
  status: [status()],
  ...change,
});

const now = new Date(2026, 4, 20, 13, 37);
const month = spanOf({ kind: "30d" }, now);

const row = (day: string, cost_usd: number, worker = "w"): UsageRow => ({
  ...{ calls: 1, input: 1, output: 1, cache_read: 0, cache_write: 0, thinking: 0, unpriced: 0 },
  ...{ estimated: 0, low_usd: cost_usd, high_usd: cost_usd },
  day,
  worker,
  cost_usd,
});

describe("the limit in the chart", () => {
  it("[P301] belongs to a budget that counts exactly what the view shows", () => {
    const all = budget();
    const api = budget({ scope: "project", target: "/api", status: [status({ target: "/api" })] });
    const each = budget({ scope: "session", status: [status({ target: "s1" }), status({ target: "s2" })] });
    const budgets = [all, api, each];
    expect(limitsOf(budgets, {}, month).ofTotal?.budget).toBe(all);
    expect(limitsOf(budgets, { cwd: "/api" }, month).ofTotal?.budget).toBe(api);
    expect(limitsOf(budgets, { session: "s2" }, month).ofTotal?.status.target).toBe("s2");
    for (const where of [{ cwd: "/web" }, { model: "m" }, { cwd: "/api", model: "m" }])
      expect(limitsOf(budgets, where, month)).toEqual({ ofBars: null, ofTotal: null });
  });

  it("[P301] is across the bars where a bar is one period, and of a running total where it is shorter", () => {
    const daily = budget({ period: "day" });
    const monthly = budget();
    const turn = budget({ period: "turn" });
    const of = (range: Parameters<typeof spanOf>[0]) => {
      const { ofBars, ofTotal } = limitsOf([daily, monthly, turn], {}, spanOf(range, now));
      return [ofBars?.budget.period, ofTotal?.budget.period];
    };
    expect(of({ kind: "30d" })).toEqual(["day", "month"]);
    expect(of({ kind: "today" })[0]).toBeUndefined();
    expect(of({ kind: "custom", from: "2020-01-01", to: "2026-05-20" })).toEqual(["month", undefined]);
  });

  it("[P301] has a running total that starts again with each period and goes on as a forecast", () => {
    const limit = { budget: budget(), status: status({ forecast_usd: 8 }) };
    const buckets = ["2026-04-29", "2026-04-30", "2026-05-01", "2026-05-02", "2026-05-03"];
    const rows = [
      row("2026-03-31", 100),
      row("2026-04-01", 2),
      row("2026-04-30", 1),
      row("2026-05-01", 3),
      row("2026-05-01", 50, "pi (imported)"),
      row("2026-05-02", 1),
    ];
    expect(runningTotal(limit, rows, buckets, "2026-05-02")).toEqual({
      totals: [2, 3, 3, 4, null],
      forecast: [null, null, null, 4, 8],
    });
    expect(totalSpan(limit, { ...month, buckets }).from.toISOString()).toBe("2026-03-31T00:00:00.000Z");
  });

  it("[P301] of a week starts on Monday, and one without an end counts back from what was spent in all", () => {
    const weekly = { budget: budget({ period: "week" }), status: status() };
    const buckets = ["2026-05-17", "2026-05-18", "2026-05-19"];
    const rows = [row("2026-05-11", 1), row("2026-05-17", 1), row("2026-05-18", 5), row("2026-05-19", 1)];
    expect(runningTotal(weekly, rows, buckets, "2026-05-19").totals).toEqual([2, 5, 6]);
    const total = {
      budget: budget({ period: "total" }),
      status: status({ spent_usd: 20, from: null, to: null }),
    };
    expect(runningTotal(total, rows, buckets, "2026-05-19").totals).toEqual([14, 19, 20]);
  });
});

describe("the outlook of a budget", () => {
  const at = now.getTime();
  const running: Now = {
    window_ms: 600_000,
    cost_usd_per_hour: 12,
    average_usd_per_hour: 1,
    unpriced: 0,
    sessions: ["/api", "/api/src", "/web"].map((cwd, index) => ({
      ...{ id: `s${index}`, name: "n", cwd, worker: "w", model: "m", state: "busy" },
      ...{ cost_usd: 1, unpriced_so_far: 0, cost_usd_per_hour: 2 ** index, unpriced: 0 },
    })),
  };

  it("[P300] names the first thing that will happen", () => {
    const tell = (change: Partial<BudgetStatus>, rate = 0) => outlookOf(budget(), status(change), rate, at);
    expect(tell({})).toEqual({ tone: "ok", text: "Expected to stay within the limit" });
    expect(tell({ reached_at: new Date(2026, 4, 24, 9).toISOString() })).toEqual({
      tone: "warned",
      text: "Expected to reach the limit on May 24",
    });
    expect(tell({ reached_at: new Date(2026, 4, 20, 18, 5).toISOString() }).text).toContain("around 18:05");
    expect(tell({}, 12)).toEqual({ tone: "warned", text: "At the current rate, reached in 30 min" });
    expect(tell({ state: "over" }, 12)).toMatchObject({ tone: "over" });
    expect(tell({ spent_usd: 0 }).text).toBe("Nothing spent yet");
  });

  it("[P300] counts the rate of the sessions that the budget is for", () => {
    const rate = (scope: Budget["scope"], target: string) =>
      rateOf(budget({ scope }), status({ target }), running);
    expect(rate("everything", "")).toBe(12);
    expect(rate("project", "/api")).toBe(3);
    expect(rate("session", "s2")).toBe(4);
    expect(rate("worker", "other")).toBe(0);
  });

  it("[P302] what runs is listed first, then what waits for a person, apart from what only spent before", () => {
    const states = ["idle", "waiting", "busy", "failed", "starting"];
    const [one] = running.sessions;
    const sessions = states.flatMap((state) => (one === undefined ? [] : [{ ...one, state }]));
    const { open, recent } = sortRunning(sessions);
    expect(open.map(({ state }) => state)).toEqual(["busy", "starting", "waiting"]);
    expect(recent.map(({ state }) => state)).toEqual(["idle", "failed"]);
  });

  it("[P303] leads to the costs that it counts, to the end of its period", () => {
    const local = { from: new Date(2026, 4, 1).toISOString(), to: new Date(2026, 5, 1).toISOString() };
    expect(budgetAddress(budget({ scope: "worker" }), status({ ...local, target: "pi" }))).toBe(
      "/costs?from=2026-05-01&to=2026-05-31&worker=pi",
    );
    expect(budgetAddress(budget({ period: "turn" }), status())).toBe("/costs/budgets");
  });
});
