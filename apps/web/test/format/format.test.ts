// Numbers for people: enough digits to be non-zero, and nothing unknown shown as zero.
import { describe, expect, it } from "vitest";
import { bigDollars, dollars } from "../../src/costs/data/labels.ts";
import { formatBytes } from "../../src/format/bytes.ts";
import { formatBounds, formatCost, formatDollars } from "../../src/format/money.ts";
import { grouped } from "../../src/format/number.ts";
import { baseName, relativeTo, shortDirectory } from "../../src/format/path.ts";
import { formatAgo, formatClock, formatDuration, formatExact } from "../../src/format/time.ts";
import { cachedPercent, formatTokenFlow, formatTokens } from "../../src/format/tokens.ts";

const usage = (input: number, output: number, cache_read = 0, cache_write = 0) => ({
  input,
  output,
  cache_read,
  cache_write,
  cost_usd: 0,
});

describe("sizes", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KB"],
    [1024 * 1024 - 1, "1.0 MB"],
    [70 * 1024 * 1024, "70 MB"],
    [1.5 * 1024 ** 3, "1.5 GB"],
  ])("%d is %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe("dollars", () => {
  it.each([
    [0, "$0.00"],
    [0.0042, "$0.0042"],
    [0.1284, "$0.1284"],
    [0.00004, "$0.000040"],
    [0.0000012, "$0.0000012"],
    [0.9999, "$0.9999"],
    [1, "$1.00"],
    [12.345, "$12.35"],
    [1234.5, "$1,234.50"],
  ])("%d is %s", (dollars, text) => expect(formatDollars(dollars)).toBe(text));

  it("an amount that was spent never looks like zero", () => {
    for (let dollars = 1e-6; dollars < 2; dollars *= 1.7) {
      expect(Number(formatDollars(dollars).slice(1))).toBeGreaterThan(0);
    }
  });

  it("calls without a price are named, never shown as $0", () => {
    expect(formatCost({ cost_usd: 0, unpriced: 2 })).toBe("unpriced");
    expect(formatCost({ cost_usd: 0.5, unpriced: 1 })).toBe("$0.5000 + unpriced");
    expect(formatCost({ cost_usd: 0 })).toBe("$0.00");
  });

  it("[U55] a cost with estimates says so, and between what it lies", () => {
    const cut = { ...usage(10, 20), cost_usd: 0.05, estimated: 1, low_usd: 0.02, high_usd: 0.5 };
    expect(formatCost(cut)).toBe("≈\u00a0$0.0500");
    expect(formatCost({ ...cut, unpriced: 1 })).toBe("≈\u00a0$0.0500 + unpriced");
    expect(formatCost({ cost_usd: 0, estimated: 1 })).toBe("≈\u00a0$0.00");
    expect(formatBounds(cut)).toBe("estimate, between $0.0200 and $0.5000");
    expect(formatBounds(usage(1, 1))).toBe("");
    expect(dollars({ ...cut, unpriced: 0 })).toBe("≈\u00a0$0.0500");
    expect(bigDollars({ ...cut, cost_usd: 0.5, unpriced: 0 })).toBe("≈\u00a0$0.50");
    expect(bigDollars({ cost_usd: 1.234, unpriced: 0, estimated: 2 })).toBe("≈\u00a0$1.23");
  });
});

describe("tokens", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1k"],
    [18_249, "18.2k"],
    [99_949, "99.9k"],
    [99_960, "100k"],
    [999_499, "999k"],
    [999_600, "1M"],
    [1_240_000, "1.24M"],
    [20_000_000, "20M"],
  ])("%d is %s", (count, text) => expect(formatTokens(count)).toBe(text));

  it("the cached share is of everything that was sent", () => {
    expect(cachedPercent(usage(80, 5, 920))).toBe(92);
    expect(cachedPercent(usage(80, 5))).toBeNull();
    expect(formatTokenFlow(usage(1_300, 1_100, 16_700, 200))).toEqual(["18.2k in (92 % cached)", "1.1k out"]);
  });
});

describe("times", () => {
  it.each([
    [0, "0.00 s"],
    [12, "0.01 s"],
    [104, "0.1 s"],
    [949, "0.9 s"],
    [4_210, "4.2 s"],
    [41_000, "41 s"],
    [59_700, "1 min 0 s"],
    [125_000, "2 min 5 s"],
    [3_700_000, "1 h 1 min"],
  ])("%d ms is %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

  it("says how long ago, in one unit", () => {
    const now = Date.parse("2026-01-02T00:00:00Z");
    const ago = (ms: number) => formatAgo(new Date(now - ms).toISOString(), now);
    expect([ago(5_000), ago(50_000), ago(3_000_000), ago(7_200_000), ago(200_000_000)]).toEqual([
      "now",
      "1 min",
      "50 min",
      "2 h",
      "2 d",
    ]);
  });

  it("[Y92] numbers are grouped, and a time is written the same everywhere", () => {
    expect([0, 999, 1_000, 12_345, 1_234_567].map((number) => grouped(number))).toEqual([
      "0",
      "999",
      "1,000",
      "12,345",
      "1,234,567",
    ]);
    expect([grouped(1_234.5, 2), grouped(-1_000), grouped(999.999, 2)]).toEqual([
      "1,234.50",
      "-1,000",
      "1,000.00",
    ]);
    const time = new Date(2026, 10, 6, 9, 5, 2).toISOString();
    expect([formatClock(time), formatExact(time)]).toEqual(["09:05", "6 Nov 2026, 09:05:02"]);
  });

  it("a time that is none is shown as nothing", () => {
    expect(formatClock("")).toBe("");
    expect(formatAgo("never")).toBe("");
  });
});

describe("paths", () => {
  it("a file inside the directory is shown from there, a neighbour with the same beginning is not", () => {
    expect(relativeTo("/code/api/a.ts", "/code/api")).toBe("a.ts");
    expect(relativeTo("/code/api-old/a.ts", "/code/api")).toBe("/code/api-old/a.ts");
    expect(relativeTo("/code/api", "/code/api")).toBe("/code/api");
  });

  it("a home is a ~, and only a whole one", () => {
    expect(shortDirectory("/home/ada/code")).toBe("~/code");
    expect(shortDirectory("/root")).toBe("~");
    expect(shortDirectory("/rooted/code")).toBe("/rooted/code");
    expect(baseName("/code/api/")).toBe("api");
  });
});
