// The limit that belongs in the chart: that of a budget which counts exactly what the view shows. Where a bar is the budget's
// period, the limit is a line across the bars; where bars are shorter, it is a line over the running total of the period.
import type { Budget, BudgetPeriod, BudgetScope, BudgetStatus } from "@patchbay/protocol";
import type { UsageRow } from "./api.ts";
import { type TimeSpan, viewerZone } from "./span.ts";
import { type Dimension, dimensions, type Where } from "./view.ts";

export interface Limit {
  budget: Budget;
  status: BudgetStatus;
}

export interface ChartLimits {
  /** Each bar is one period of this budget. */
  ofBars: Limit | null;
  /** A period of this budget has several bars. */
  ofTotal: Limit | null;
}

const scopesOf: Partial<Record<Dimension, BudgetScope>> = {
  cwd: "project",
  worker: "worker",
  person: "person",
  session: "session",
};

/** What the view shows, as a budget names it; null: no budget counts that. */
function scopeOf(where: Where): { scope: BudgetScope; target: string } | null {
  const set = dimensions.filter((name) => where[name] !== undefined);
  const [first] = set;
  if (first === undefined) return { scope: "everything", target: "" };
  const scope = scopesOf[first];
  return set.length > 1 || scope === undefined ? null : { scope, target: where[first] ?? "" };
}

/** The filter that shows what a budget counts for one target. */
export function whereOf({ scope }: Budget, { target }: BudgetStatus): Where {
  const name = dimensions.find((each) => scopesOf[each] === scope);
  return name === undefined ? {} : { [name]: target };
}

export function limitsOf(budgets: readonly Budget[], where: Where, { buckets, unit }: TimeSpan): ChartLimits {
  const shown = scopeOf(where);
  const bar = unit === "hour" ? "hour" : buckets[0]?.length === "2026-05".length ? "month" : "day";
  const found = budgets
    .flatMap((budget) => {
      if (shown === null || budget.scope !== shown.scope || budget.period === "turn") return [];
      const status = budget.status.find(({ target }) => target === shown.target);
      return status === undefined ? [] : [{ budget, status }];
    })
    .sort((a, b) => b.status.spent_usd / b.status.limit_usd - a.status.spent_usd / a.status.limit_usd);
  const isLonger = ({ period, time_zone }: Budget): boolean =>
    bar === "hour" ? time_zone === viewerZone() : bar === "day" && period !== "day";
  return {
    ofBars: found.find(({ budget }) => budget.period === bar) ?? null,
    ofTotal: found.find(({ budget }) => isLonger(budget)) ?? null,
  };
}

/** The days of a week begin with Monday. */
function periodOf(date: string, period: BudgetPeriod): string {
  if (period === "day") return date;
  if (period === "month") return date.slice(0, "2026-05".length);
  if (period !== "week") return "";
  const day = new Date(`${date}T00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

const dayMs = 86_400_000;

/** What to ask the ledger for: from the start of the period in which the chart begins, in whole days of any time zone. */
export function totalSpan({ budget }: Limit, { from, to, buckets }: TimeSpan): { from: Date; to: Date } {
  const first = periodOf((buckets[0] ?? "").slice(0, 10), budget.period);
  const start = first === "" ? from : new Date(`${first.padEnd(10, "-01")}T00:00Z`);
  return { from: new Date(start.getTime() - dayMs), to: new Date(to.getTime() + dayMs) };
}

/** Programs outside of Patchbay are held to no budget. */
const isImported = ({ worker = "" }: UsageRow): boolean => worker.endsWith(" (imported)");

export interface RunningTotal {
  /** What the period had spent by the end of each bar; null: that is still to come. */
  totals: (number | null)[];
  /** From now to the end of the period; null elsewhere. */
  forecast: (number | null)[];
}

/** `now`: the name of the bar that is running, or a later one's. */
export function runningTotal(
  { budget: { period }, status }: Limit,
  rows: readonly UsageRow[],
  buckets: readonly string[],
  now: string,
): RunningTotal {
  const spent = new Map<string, number>();
  for (const row of rows) {
    const time = row.hour ?? row.day ?? "";
    if (!isImported(row)) spent.set(time, (spent.get(time) ?? 0) + row.cost_usd);
  }
  const keyOf = (bucket: string): string => periodOf(bucket.slice(0, 10), period);
  const first = buckets[0] ?? "";
  const before = [...spent].filter(([time]) => time < first && keyOf(time) === keyOf(first));
  const after = [...spent].filter(([time]) => time >= first);
  // Without an end there is no start to count from, but what was spent in all is known.
  const sums = period === "total" ? after.map(([, cost]) => -cost) : before.map(([, cost]) => cost);
  let total = sums.reduce((sum, cost) => sum + cost, period === "total" ? status.spent_usd : 0);
  let key = keyOf(first);
  const totals = buckets.map((bucket) => {
    if (bucket > now) return null;
    if (keyOf(bucket) !== key) total = 0;
    key = keyOf(bucket);
    total += spent.get(bucket) ?? 0;
    return total;
  });
  return { totals, forecast: forecastLine(buckets, now, keyOf, totals, status.forecast_usd) };
}

function forecastLine(
  buckets: readonly string[],
  now: string,
  keyOf: (bucket: string) => string,
  totals: readonly (number | null)[],
  end: number | undefined,
): (number | null)[] {
  const at = buckets.indexOf(now);
  const start = totals[at];
  const last = buckets.findLastIndex((bucket) => keyOf(bucket) === keyOf(now));
  return buckets.map((_, index) => {
    if (end === undefined || typeof start !== "number" || index < at || index > last || at === last)
      return null;
    return start + ((end - start) * (index - at)) / (last - at);
  });
}
