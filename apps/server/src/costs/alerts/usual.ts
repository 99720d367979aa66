// What a project or a model usually spends by this time of the day, and whether today is a spike. A pure function of past days.
import type { SpikeSettings } from "../../config/alert-settings.ts";

/** A past day of one project or model, in dollars. */
export interface PastDay {
  /** Up to the time of the day that it is now. */
  soFar: number;
  whole: number;
}

/**
 * The median over the days with spending. Days without are left out: a project that is used on Mondays would have a usual amount of 0,
 * and each Monday would be a spike. The median ignores a single expensive day, which an average would not. Null: there are too few
 * such days to call anything usual.
 */
export function usualSpend(days: readonly PastDay[], knownDays: number): number | null {
  const amounts = days
    .filter(({ whole }) => whole > 0)
    .map(({ soFar }) => soFar)
    .sort((a, b) => a - b);
  if (amounts.length < Math.max(1, knownDays)) return null;
  const middle = amounts.length / 2;
  const [low, high] = [amounts[Math.ceil(middle) - 1] ?? 0, amounts[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}

export const isSpike = (
  spent: number,
  usual: number,
  { factor, minimum_usd }: Pick<SpikeSettings, "factor" | "minimum_usd">,
): boolean => spent > 0 && spent >= usual * factor && spent - usual >= minimum_usd;
