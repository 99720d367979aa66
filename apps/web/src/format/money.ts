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

/** What calls cost. Calls without a known price are named: their cost is missing, not zero. */
export function formatCost(usage: Pick<Usage, "cost_usd" | "unpriced">): string {
  const unpriced = (usage.unpriced ?? 0) > 0;
  if (unpriced && usage.cost_usd === 0) return formatTexts.unpriced;
  return unpriced
    ? `${formatDollars(usage.cost_usd)} + ${formatTexts.unpriced}`
    : formatDollars(usage.cost_usd);
}
