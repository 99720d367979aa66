// Two exports of one provider as one comparison.
import type { ReconciledRow, Reconciliation } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { canMerge, merge } from "../../src/costs/compare/merge.ts";

const tokens = (input: number) => ({ input, output: 0, cache_read: 0, cache_write: 0 });
const ledger = (input: number, cost_usd: number) => ({
  ...{ tokens: tokens(input), calls: 1, cost_usd, low_usd: cost_usd, high_usd: cost_usd },
  ...{ unpriced: 0, estimated: 0 },
});
const row = (day: string, model: string, more: Partial<ReconciledRow>): ReconciledRow => ({
  ...{ day, model, model_key: model.toLowerCase(), state: "equal", provider: null, ledger: null },
  difference: { tokens: null, cost_usd: null },
  ...more,
});
const found = (rows: ReconciledRow[], more: Partial<Reconciliation> = {}): Reconciliation => ({
  ...{ provider: "anthropic", format: "usage", time_zone: "UTC", from: "2026-11-01", to: "2026-11-02" },
  ...{ by_model: true, is_partial: false, rows },
  total: {
    provider: { tokens: null, cost_usd: null },
    ledger: ledger(0, 0),
    difference: { tokens: null, cost_usd: null },
  },
  ...more,
});

describe("a usage and a cost export", () => {
  it("[U113] become one comparison with tokens and money, and totals of both", () => {
    const usage = found([
      row("2026-11-02", "A", { provider: { tokens: tokens(5), cost_usd: null }, ledger: ledger(5, 0.2) }),
      row("2026-11-01", "B", { state: "only_ledger", ledger: ledger(7, 0.1) }),
    ]);
    const cost = found(
      [
        row("2026-11-03", "a", { state: "only_provider", provider: { tokens: null, cost_usd: 4 } }),
        row("2026-11-02", "a", {
          ...{ state: "differs", provider: { tokens: null, cost_usd: 0.3 }, ledger: ledger(5, 0.2) },
        }),
      ],
      { format: "cost", from: "2026-11-02", to: "2026-11-03" },
    );
    expect(merge(usage, cost)).toMatchObject({
      ...{ format: "usage + cost", from: "2026-11-01", to: "2026-11-03" },
      rows: [
        { day: "2026-11-03", state: "only_provider" },
        {
          ...{ day: "2026-11-02", model: "A", state: "differs" },
          provider: { tokens: { input: 5 }, cost_usd: 0.3 },
          difference: { tokens: 0, cost_usd: 0.1 },
        },
        { day: "2026-11-01", model: "B", state: "only_ledger" },
      ],
      total: {
        provider: { tokens: { input: 5 }, cost_usd: 4.3 },
        ledger: { tokens: { input: 12 }, calls: 2, cost_usd: 0.3 },
        difference: { tokens: -7, cost_usd: 4 },
      },
    });
  });

  it("[U113] of another provider, or without models, are another comparison", () => {
    expect(canMerge(found([]), found([], { provider: "openai" }))).toBe(false);
    expect(canMerge(found([]), found([], { by_model: false }))).toBe(false);
    expect(canMerge(found([]), found([]))).toBe(true);
  });
});
