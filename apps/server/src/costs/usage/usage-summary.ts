// What a dashboard shows first: today and this month, each beside the time before up to the same hour, and what
// the month will come to if it goes on like the last days.
import { dayStart, monthStart } from "../../store/calendar.ts";
import type { LedgerQuery, LedgerSums } from "../../store/ledger-types.ts";
import { noSums } from "../../store/ledger-types.ts";
import { quarterMs } from "../../store/quarters.ts";
import type { Store } from "../../store/store.ts";
import { offsetAt } from "../../store/time-zone.ts";
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
  const habitual = await sum(dayStart(now, zone, -habitDays), today);
  const days = await habitOf(store, now, zone);
  const daily = days === 0 ? spentToday.cost_usd : habitual.cost_usd / days;
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
      /** Of the days it goes by: their cost is missing in it. */
      daily_unpriced: (days === 0 ? spentToday : habitual).unpriced ?? 0,
      previous: columns(total),
    },
  };
}

/** Ledgers that go back further than the days to learn from: all of a long one is asked once, and it grows no younger. */
const old = new WeakSet<Store>();

/** How many of the last days there are to learn from. Those without spending count; but a ledger that began on Tuesday has
 * no Monday, whatever is asked of it. */
async function habitOf(store: Store, now: number, zone: string): Promise<number> {
  const from = iso(dayStart(now, zone, -habitDays));
  if (old.has(store)) return habitDays;
  if ((await store.queryLedger({ to: from, groupBy: [] })).some(({ usage }) => usage.calls > 0)) {
    old.add(store);
    return habitDays;
  }
  const today = dayStart(now, zone);
  const known = await store.queryLedger({ from, to: iso(today), groupBy: ["day"], timeZone: zone });
  const first = known[0]?.keys.day;
  if (first === undefined) return 0;
  return Math.max(1, Math.round((today + offsetAt(today, zone) - Date.parse(first)) / dayMs));
}

const iso = (time: number): string => new Date(time).toISOString();
const round = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;
