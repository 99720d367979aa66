// What a dashboard shows first: today and this month, each beside the time before up to the same hour, and what
// the month will come to if it goes on like the last days.
import { dayStart, monthStart } from "../store/calendar.ts";
import { quarterMs } from "../store/quarters.ts";
import type { LedgerQuery, LedgerRow, LedgerSums, Store } from "../store/store.ts";
import { noSums } from "../store/store.ts";
import { offsetAt } from "../store/time-zone.ts";
import { columns } from "./usage-csv.ts";

interface Asked {
  now: number;
  zone: string;
  where: LedgerQuery["where"];
}

const dayMs = 86_400_000;
/** Long enough to hold a weekend, short enough to follow a change of habits. */
const habitDays = 7;

export async function summarise(store: Store, { now, zone, where }: Asked) {
  const sum = async (from: number, to?: number): Promise<LedgerSums> => {
    const until = to === undefined ? undefined : iso(to);
    const rows = await store.queryLedger({ from: iso(from), to: until, groupBy: [], where: where ?? {} });
    return rows[0]?.usage ?? noSums;
  };
  const today = dayStart(now, zone);
  const yesterday = dayStart(now, zone, -1);
  const month = monthStart(now, zone);
  const lastMonth = monthStart(now, zone, -1);
  const nextMonth = monthStart(now, zone, 1);
  const spentToday = await sum(today);
  const spentMonth = await sum(month);
  const period = async (from: number, spent: LedgerSums, before: number, end: number) => {
    // Whole quarters, which the sums answer for.
    const until = Math.min(end, Math.floor((before + now - from) / quarterMs) * quarterMs);
    const previous = { from: iso(before), to: iso(until), ...columns(await sum(before, until)) };
    return { from: iso(from), to: iso(now), ...columns(spent), previous };
  };
  const habit = await store.queryLedger({
    from: iso(dayStart(now, zone, -habitDays)),
    to: iso(today),
    groupBy: ["day"],
    where: where ?? {},
    timeZone: zone,
  });
  const daily = perDay(habit, today + offsetAt(today, zone)) ?? spentToday.cost_usd;
  const daysLeft = Math.round((nextMonth - dayStart(now, zone, 1)) / dayMs);
  const restOfToday = Math.max(0, daily - spentToday.cost_usd);
  const total = await sum(lastMonth, month);
  return {
    today: await period(today, spentToday, yesterday, today),
    month: await period(month, spentMonth, lastMonth, month),
    forecast: {
      to: iso(nextMonth),
      cost_usd: round(spentMonth.cost_usd + restOfToday + daily * daysLeft),
      daily_usd: round(daily),
      unpriced: spentMonth.unpriced ?? 0,
      previous: columns(total),
    },
  };
}

/** The average of the last days, those without spending included; but a ledger that began on Tuesday has no Monday. */
function perDay(days: readonly LedgerRow[], today: number): number | null {
  const first = days[0]?.keys.day;
  if (first === undefined) return null;
  const spent = days.reduce((sum, { usage }) => sum + usage.cost_usd, 0);
  return spent / Math.max(1, Math.round((today - Date.parse(first)) / dayMs));
}

const iso = (time: number): string => new Date(time).toISOString();
const round = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;
