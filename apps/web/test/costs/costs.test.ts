// The costs page's arithmetic: addresses, ranges, layers, colours and bars.
import { describe, expect, it } from "vitest";
import type { UsageRow } from "../../src/costs/data/api.ts";
import { coloursOf } from "../../src/costs/data/colours.ts";
import { filled } from "../../src/costs/data/histogram.ts";
import { bigDollars, change, dollars } from "../../src/costs/data/labels.ts";
import { byName, edges, stack } from "../../src/costs/data/series.ts";
import { bucketTitle, dateOf, daysBetween, spanOf } from "../../src/costs/data/span.ts";
import { readView, toggled, writeView } from "../../src/costs/data/view.ts";

const row = (change: Partial<UsageRow>): UsageRow => ({
  calls: 1,
  input: 10,
  output: 1,
  cache_read: 0,
  cache_write: 0,
  thinking: 0,
  cost_usd: 1,
  unpriced: 0,
  ...{ estimated: 0, low_usd: 1, high_usd: 1 },
  ...change,
});

describe("a view's address", () => {
  it.each(["", "?range=today", "?from=2026-01-02&to=2026-02-03&by=cwd&model=a%2Fb+c&person="])(
    "%s is read and written back",
    (search) => {
      expect(writeView(readView(search))).toBe(search);
    },
  );

  it("takes rubbish for the usual view, and dates in either order", () => {
    expect(writeView(readView("?range=ever&by=mood&from=2026&to=never"))).toBe("");
    expect(readView("?from=2026-02-03&to=2026-01-02").range).toMatchObject({ from: "2026-01-02" });
  });

  it("sets a filter, and takes it away when it is set again", () => {
    const once = toggled({ cwd: "/x" }, "model", "m");
    expect(once).toEqual({ cwd: "/x", model: "m" });
    expect(toggled(once, "model", "m")).toEqual({ cwd: "/x" });
    expect(toggled(once, "model", "n")).toEqual({ cwd: "/x", model: "n" });
  });
});

describe("a range", () => {
  const now = new Date(2026, 4, 20, 13, 37);

  it("of days ends with today, and is compared with as much of the days before", () => {
    const span = spanOf({ kind: "7d" }, now);
    expect(span.buckets).toHaveLength(7);
    expect([span.buckets[0], span.buckets.at(-1)]).toEqual(["2026-05-14", "2026-05-20"]);
    expect(span.previous.from).toEqual(new Date(2026, 4, 7));
    expect(span.previous.to).toEqual(new Date(2026, 4, 13, 13, 30));
    expect(span.live).toBe(true);
  });

  it("of a day or two is shown by the hour", () => {
    const span = spanOf({ kind: "custom", from: "2026-05-01", to: "2026-05-01" }, now);
    expect(span.unit).toBe("hour");
    expect([span.buckets[0], span.buckets.at(-1)]).toEqual(["2026-05-01T00:00", "2026-05-01T23:00"]);
    expect(span).toMatchObject({ live: false, from: new Date(2026, 4, 1), to: new Date(2026, 4, 2) });
    expect(bucketTitle("2026-05-01T23:00")).toBe("Fri, May 1, 23:00–24:00");
  });

  it("[H40] of years is shown whole, by the month or the year, and asked for day by day", () => {
    const span = spanOf({ kind: "custom", from: "2020-01-15", to: "2026-01-10" }, now);
    expect([span.unit, span.buckets.length]).toEqual(["day", 73]);
    expect([span.buckets[0], span.buckets.at(-1)]).toEqual(["2020-01", "2026-01"]);
    expect([dateOf(span.from), dateOf(span.to)]).toEqual(["2020-01-15", "2026-01-11"]);
    expect(bucketTitle("2020-02")).toBe("Feb 2020");
    expect(daysBetween(span, "2020-02", "2020-02")).toEqual({ from: "2020-02-01", to: "2020-02-29" });
    expect(daysBetween(span, "2020-01", "2026-01")).toEqual({ from: "2020-01-15", to: "2026-01-10" });
    const rows = [row({ day: "2020-02-03" }), row({ day: "2020-02-29" }), row({ day: "2026-01-10" })];
    const { totals } = stack(rows, span.buckets, "model");
    expect([totals[1], totals.at(-1), totals.reduce((sum, each) => sum + each, 0)]).toEqual([2, 1, 3]);
    const ages = spanOf({ kind: "custom", from: "1926-06-01", to: "2026-05-20" }, now);
    expect([ages.buckets.length, ages.buckets[0]]).toEqual([101, "1926"]);
    expect(daysBetween(ages, "1926", "1927")).toEqual({ from: "1926-06-01", to: "1927-12-31" });
    const hours = spanOf({ kind: "today" }, now);
    expect(daysBetween(hours, "2026-05-20T03:00", "2026-05-20T04:00").to).toBe("2026-05-20");
  });
});

describe("layers", () => {
  it("have a value for every day, the dearest below, and the small ones together", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const rows = names.map((model, at) => row({ day: "2026-05-02", model, cost_usd: at + 1 }));
    rows.push(row({ day: "2026-05-03", model: "a", cost_usd: 0, unpriced: 2 }));
    rows.push(row({ day: "2026-04-30", model: "a", cost_usd: 99 }));
    const { layers, totals, unpriced } = stack(rows, ["2026-05-01", "2026-05-02", "2026-05-03"], "model");
    expect(layers.map(({ name }) => name)).toEqual(["i", "h", "g", "f", "e", "d", null]);
    expect(layers.at(-1)).toMatchObject({ values: [0, 6, 0], total: 6 });
    expect(totals).toEqual([0, 45, 0]);
    expect(unpriced).toEqual([0, 0, 2]);
    expect(edges(layers).at(-1)).toEqual([null, 45, null]);
    expect(edges(layers)[0]).toEqual([null, 9, null]);
  });

  it("add up by name, the dearest first", () => {
    const rows = [row({ cwd: "/a" }), row({ cwd: "/b", cost_usd: 5 }), row({ cwd: "/a", unpriced: 1 })];
    expect(byName(rows, "cwd")).toMatchObject([
      { name: "/b", cost_usd: 5 },
      { name: "/a", cost_usd: 2, calls: 2, unpriced: 1 },
    ]);
  });

  it("keep a family's colour, and never share one", () => {
    expect(coloursOf(["claude-sonnet-4-5"]).get("claude-sonnet-4-5")).toBe("var(--chart-1)");
    const seven = ["claude-sonnet-4", "claude-sonnet-4-5", "gpt-5", "gpt-6", "x", "y", "z"];
    expect(new Set(coloursOf(seven).values()).size).toBe(8);
    expect(coloursOf(seven.toReversed())).toEqual(coloursOf(seven));
  });
});

it("a histogram has no gaps", () => {
  const bar = (from_usd: number, to_usd: number) => ({ from_usd, to_usd, turns: 1, cost_usd: 1 });
  const bars = filled([bar(0.002, 0.005), bar(0.05, 0.1)]);
  expect(bars.map(({ from_usd, turns }) => [from_usd, turns])).toEqual([
    [0.002, 1],
    [0.005, 0],
    [0.01, 0],
    [0.02, 0],
    [0.05, 1],
  ]);
});

describe("words", () => {
  it("never call an unknown cost nothing", () => {
    expect(dollars({ cost_usd: 0, unpriced: 3 })).toBe("–");
    expect(dollars({ cost_usd: 0, unpriced: 0 })).toBe("$0.00");
    expect(bigDollars({ cost_usd: 0.004, unpriced: 1 })).toBe("$0.0040");
    expect(bigDollars({ cost_usd: 0.42, unpriced: 0 })).toBe("$0.42");
  });

  it("compare", () => {
    expect(change(3, 0)).toBeNull();
    expect(change(150, 100)).toEqual({ kind: "percent", percent: 50, up: true });
    expect(change(50, 100)).toEqual({ kind: "percent", percent: 50, up: false });
    expect(change(1_200, 100)).toEqual({ kind: "times", times: 12 });
    expect(change(100.2, 100)).toEqual({ kind: "same" });
  });
});
