// Dollars for people: enough digits to be non-zero, and an unknown price is never shown as $0.
import type { Usage } from "@patchbay/protocol";
import { fixed, grouped } from "./number.ts";
import { formatTexts } from "./texts.ts";

/** What stands before an amount, and what a dollar is worth: another currency is converted at a rate that a person has entered. */
interface ShownCurrency {
  prefix: string;
  rate: number;
}
export const dollarsAsTheyAre: ShownCurrency = { prefix: "$", rate: 1 };
/** Where `costs/settings` keeps what the server said, for the next load: the rate and the prefix. */
export const currencyKey = "patchbay.currency";
export let shownCurrency: ShownCurrency = { ...dollarsAsTheyAre };
export const showAmountsIn = (currency: ShownCurrency): void => {
  shownCurrency = currency;
};
try {
  const [rate, prefix] = localStorage.getItem(currencyKey)?.split("|") ?? [];
  if (prefix !== undefined && Number(rate) > 0) showAmountsIn({ prefix, rate: Number(rate) });
} catch {
  // The browser keeps nothing.
}

export function formatDollars(dollars: number): string {
  const { prefix, rate } = shownCurrency;
  const amount = dollars * rate;
  if (!Number.isFinite(amount) || amount <= 0) return prefix + fixed(0, 2);
  if (amount >= 1) return prefix + grouped(amount, 2);
  return prefix + fixed(amount, amount >= 0.0001 ? 4 : Math.min(10, Math.ceil(-Math.log10(amount)) + 1));
}

type Cost = Pick<Usage, "cost_usd" | "unpriced" | "estimated">;

/** Stands before a cost that contains estimates, of calls that were cut. A converted one has it already. */
export const approximately = ({ estimated = 0 }: Pick<Cost, "estimated">): string =>
  estimated > 0 && shownCurrency.rate === 1 ? "≈\u00a0" : "";

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
