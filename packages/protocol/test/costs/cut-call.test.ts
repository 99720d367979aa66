import fc from "fast-check";
import { expect, it } from "vitest";
import { estimateCut, type TokenCounts } from "../../src/index.ts";

const none: TokenCounts = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

it("[U51] a stopped answer is estimated by its text, not by the placeholder of the provider's first count", () => {
  const { tokens, bounds } = estimateCut({
    sent: { low: 1, estimate: 2, high: 3 },
    maxOutput: 8_000,
    soFar: { ...none, input: 4_000, output: 1 },
    streamedBytes: 24_000,
  });
  expect(tokens).toEqual({ ...none, input: 4_000, output: 6_000 });
  expect(bounds).toEqual({
    low: { ...none, input: 4_000, output: 2_000 },
    high: { ...none, input: 4_000, output: 8_000 },
  });
});

it("[U51] input that was all in the cache is counted; a request that nobody counted is estimated", () => {
  const cached = estimateCut({ soFar: { ...none, cache_read: 900 }, streamedBytes: 0 });
  expect(cached.tokens).toEqual({ ...none, cache_read: 900 });
  const sent = { low: 10, estimate: 30, high: 200 };
  const { tokens, bounds } = estimateCut({ sent, soFar: none, streamedBytes: 40 });
  expect(tokens).toEqual({ ...none, input: 30, output: 10 });
  expect(bounds.low).toEqual({ ...none, cache_read: 10, output: 3 });
  expect(bounds.high).toMatchObject({ input: 0, cache_write: 200 });
});

it("[U51] an estimate lies between its bounds, which contain what the provider has counted", () => {
  const count = fc.nat(1_000_000);
  const counts = fc.record({ input: count, output: count, cache_read: count, cache_write: count });
  const sent = fc
    .tuple(count, count, count)
    .map((all) => all.sort((a, b) => a - b))
    .map(([low, estimate, high]) => ({ low, estimate, high }));
  const all = ({ input, cache_read, cache_write }: TokenCounts): number => input + cache_read + cache_write;
  fc.assert(
    fc.property(
      fc.option(sent, { nil: undefined }),
      fc.option(counts, { nil: undefined }),
      fc.nat(400_000),
      fc.nat(4_000_000),
      (size, soFar, maxOutput, streamedBytes) => {
        const { tokens, bounds } = estimateCut({ sent: size, soFar, maxOutput, streamedBytes });
        for (const of of [({ output }: TokenCounts) => output, all]) {
          expect(of(bounds.low)).toBeLessThanOrEqual(of(tokens));
          expect(of(tokens)).toBeLessThanOrEqual(of(bounds.high));
        }
        if (soFar === undefined) return;
        expect(tokens.output).toBeGreaterThanOrEqual(soFar.output);
        if (all(soFar) > 0) expect(all(tokens)).toBe(all(soFar));
      },
    ),
  );
});
