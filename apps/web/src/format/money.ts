// Dollars for people: enough digits to be non-zero, and an unknown price is never shown as $0.
import type { Usage } from "@patchbay/protocol";
import { fixed, grouped } from "./number.ts";
import { formatTexts } from "./texts.ts";

export function formatDollars(dollars: number): string {
  if (!Number.isFinite(dollars) || dollars <= 0) return `$${fixed(0, 2)}`;
  if (dollars >= 1) return `$${grouped(dollars, 2)}`;
  if (dollars >= 0.0001) return `$${fixed(dollars, 4)}`;
  const digits = Math.min(10, Math.ceil(-Math.log10(dollars)) + 1);
  return `$${fixed(dollars, digits)}`;
}

type Cost = Pick<Usage, "cost_usd" | "unpriced" | "estimated">;

/** Stands before a cost that contains estimates, of calls that were cut. */
export const approximately = ({ estimated = 0 }: Pick<Cost, "estimated">): string =>
  estimated > 0 ? "≈\u00a0" : "";

/** What calls cost. Calls without a known price are named: their cost is missing, not zero. */
export function formatCost(usage: Cost): string {
  const unpriced = (usage.unpriced ?? 0) > 0;
  const known = approximately(usage) + formatDollars(usage.cost_usd);
  if (!unpriced) return known;
  return usage.cost_usd === 0 ? formatTexts.unpriced : `${known} + ${formatTexts.unpriced}`;
}

/** The least and the most that a cost with estimates can be; empty: it is exact. */
export const formatBounds = ({ estimated = 0, cost_usd, low_usd, high_usd }: Usage): string =>
  estimated > 0
    ? formatTexts.estimate(formatDollars(low_usd ?? cost_usd), formatDollars(high_usd ?? cost_usd))
    : "";
