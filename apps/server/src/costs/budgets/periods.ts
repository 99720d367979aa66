// Finds the day, week or month that contains a moment, in a time zone.
import type { BudgetPeriod } from "@patchbay/protocol";
import { dayStart, monthStart, weekStart } from "../../store/calendar.ts";

/** From inclusive, to exclusive. */
export interface Period {
  from: number;
  to: number;
}

const always: Period = { from: 0, to: Number.POSITIVE_INFINITY };

const starts = { day: dayStart, week: weekStart, month: monthStart };

export function periodAt(time: number, period: BudgetPeriod, zone: string): Period {
  if (period === "turn" || period === "total") return always;
  const start = starts[period];
  return { from: start(time, zone), to: start(time, zone, 1) };
}
