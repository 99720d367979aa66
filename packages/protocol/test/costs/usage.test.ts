// Adding usage: to the nano-dollar, and without forgetting calls that have no price.
import { addUsage, contextTokens, noUsage, toNanoDollars, Usage } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const call = (cost_usd: number, more: object = {}) => ({ ...noUsage, cost_usd, ...more });

describe("usage", () => {
  it("[P42] dollars are added as whole nano-dollars", () => {
    expect(addUsage(call(0.1), call(0.2)).cost_usd).toBe(0.3);
    const nanos = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(nanos, (costs) => {
        const sum = costs.reduce((total, cost) => addUsage(total, call(cost / 1e9)), noUsage);
        expect(toNanoDollars(sum.cost_usd)).toBe(costs.reduce((a, b) => a + b, 0));
      }),
    );
  });

  it("[P42] the order of the calls does not matter", () => {
    const count = fc.nat(100_000);
    const some = fc.record({
      input: count,
      output: count,
      cache_read: count,
      cache_write: count,
      cost_usd: count.map((n) => n / 1e6),
    });
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(addUsage(a, b)).toEqual(addUsage(b, a));
      }),
    );
  });

  it("[P42] calls without a price are counted, and absent when there are none", () => {
    expect(addUsage(call(0, { unpriced: 1 }), call(0.1, { unpriced: 2 })).unpriced).toBe(3);
    expect(addUsage(call(0, { unpriced: 1 }), call(0.1)).unpriced).toBe(1);
    expect(addUsage(call(0), call(0.1))).not.toHaveProperty("unpriced");
  });

  it("[P42] a call fills the context with all it sent and all it got", () => {
    expect(contextTokens({ input: 1, output: 20, cache_read: 300, cache_write: 4000, cost_usd: 9 })).toBe(
      4321,
    );
  });

  it.each([{ ...noUsage, input: -1 }, { ...noUsage, cost_usd: "0" }, { input: 1 }])(
    "[P7] no usage: %j",
    (value) => {
      expect(Usage.safeParse(value).success).toBe(false);
    },
  );
});
