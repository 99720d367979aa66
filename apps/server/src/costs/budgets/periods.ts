// Finds the day, week or month that contains a moment, in a time zone.
import type { BudgetPeriod } from "@patchbay/protocol";
import { offsetAt } from "../../store/time-zone.ts";

/** From inclusive, to exclusive. */
export interface Period {
  from: number;
  to: number;
}

const dayMs = 24 * 3_600_000;
const always: Period = { from: 0, to: Number.POSITIVE_INFINITY };

export function periodAt(time: number, period: BudgetPeriod, zone: string): Period {
  if (period === "turn" || period === "total") return always;
  const local = new Date(time + offsetAt(time, zone));
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  if (period === "month") return between(Date.UTC(year, month), Date.UTC(year, month + 1), zone);
  const first = period === "day" ? day : day - ((local.getUTCDay() + 6) % 7); // a week begins on Monday
  const from = Date.UTC(year, month, first);
  return between(from, from + (period === "day" ? 1 : 7) * dayMs, zone);
}

const between = (from: number, to: number, zone: string): Period => ({
  from: toUtc(from, zone),
  to: toUtc(to, zone),
});

/** Converts a local time to UTC. A time that the zone skips becomes the moment of the skip. */
function toUtc(local: number, zone: string): number {
  const guess = local - offsetAt(local, zone);
  return local - offsetAt(guess, zone);
}
