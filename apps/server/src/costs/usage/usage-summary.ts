// The summary of a dashboard: today and this month, each compared with the previous period up to the same time, and a forecast of
// the month from the average of the last days.
import { dayStart, daysBefore, monthBefore, monthStart } from "../../store/calendar.ts";
import type { LedgerQuery, LedgerSums } from "../../store/ledger-types.ts";
import { noSums } from "../../store/ledger-types.ts";
import { quarterMs } from "../../store/quarters.ts";
import type { Store } from "../../store/store.ts";
import { offsetAt } from "../../store/time-zone.ts";
import { columns } from "./usage-csv.ts";

interface SummaryOptions {
  now: number;
  zone: string;
  where: LedgerQuery["where"];
}

const dayMs = 86_400_000;
/** Long enough to contain a weekend, short enough to follow a change of use. */
export const averagedDays = 7;

export async function summarise(store: Store, { now, zone, where }: SummaryOptions) {
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
  /** `before` to `sameTime` is the period that it is compared with, up to what the clocks show now. */
  const period = async (from: number, spent: LedgerSums, before: number, sameTime: number) => {
    // Whole quarters of an hour, because the store's sums are kept by quarter.
    const until = Math.floor(sameTime / quarterMs) * quarterMs;
    const previous = { from: iso(before), to: iso(until), ...columns(await sum(before, until)) };
    return { from: iso(from), to: iso(now), ...columns(spent), previous };
  };
  const recent = await sum(dayStart(now, zone, -averagedDays), today);
  const days = await countAveragedDays(store, now, zone);
  const daily = days === 0 ? spentToday.cost_usd : recent.cost_usd / days;
  const daysLeft = Math.round((nextMonth - dayStart(now, zone, 1)) / dayMs);
  const restOfToday = Math.max(0, daily - spentToday.cost_usd);
  const total = await sum(lastMonth, month);
  return {
    today: await period(today, spentToday, yesterday, daysBefore(now, zone, 1)),
    month: await period(month, spentMonth, lastMonth, monthBefore(now, zone)),
    forecast: {
      to: iso(nextMonth),
      cost_usd: round(spentMonth.cost_usd + restOfToday + daily * daysLeft),
      daily_usd: round(daily),
      unpriced: spentMonth.unpriced ?? 0,
      /** Unpriced calls of the averaged days: the forecast misses their cost. */
      daily_unpriced: (days === 0 ? spentToday : recent).unpriced ?? 0,
      previous: columns(total),
    },
  };
}

/** Stores whose ledger is older than the averaged days. Reading a whole long ledger is slow, so it is done once. */
const longLedgers = new WeakSet<Store>();

/** Returns how many of the last days the ledger covers. Days without spending count, days before its first entry do not. */
export async function countAveragedDays(store: Store, now: number, zone: string): Promise<number> {
  const from = iso(dayStart(now, zone, -averagedDays));
  if (longLedgers.has(store)) return averagedDays;
  if ((await store.queryLedger({ to: from, groupBy: [] })).some(({ usage }) => usage.calls > 0)) {
    longLedgers.add(store);
    return averagedDays;
  }
  const today = dayStart(now, zone);
  const known = await store.queryLedger({ from, to: iso(today), groupBy: ["day"], timeZone: zone });
  const first = known[0]?.keys.day;
  if (first === undefined) return 0;
  return Math.max(1, Math.round((today + offsetAt(today, zone) - Date.parse(first)) / dayMs));
}

const iso = (time: number): string => new Date(time).toISOString();
const round = (dollars: number): number => Math.round(dollars * 1e6) / 1e6;
