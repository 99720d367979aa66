// Forecasts what a budget will have spent when its period ends, and when it reaches its limit. The pace is the average of the last
// days, as in the forecast of the month: the rest of today up to that average, then one average for each further day.
import { type BudgetStatus, toNanoDollars } from "@patchbay/protocol";
import { dayStart } from "../../store/calendar.ts";
import { isImported } from "../../store/imported.ts";
import type { LedgerGroup, LedgerQuery } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { averagedDays, countAveragedDays } from "../usage/usage-summary.ts";
import { scopeDimensions } from "./open-tally.ts";
import type { Tally, TargetStatus } from "./tally.ts";

type Forecast = Pick<BudgetStatus, "forecast_usd" | "daily_usd" | "reached_at">;

const dayMs = 86_400_000;

/** Sessions are not part of the ledger's sums, so each is a query. */
const mostSessions = 5;

/** By target. A budget for each turn has no forecast. */
export async function forecastTargets(
  store: Store,
  tally: Tally,
  statuses: readonly TargetStatus[],
  now: number,
): Promise<Map<string, Forecast>> {
  const { terms } = tally;
  if (terms.period === "turn") return new Map();
  const zone = terms.time_zone;
  const today = dayStart(now, zone);
  const targets = statuses
    .map(({ target }) => target)
    .slice(0, terms.scope === "session" ? mostSessions : undefined);
  const spentToday = await spentByTarget(store, tally, targets, { from: iso(today) });
  const days = await countAveragedDays(store, now, zone);
  const recent =
    days === 0
      ? spentToday
      : await spentByTarget(store, tally, targets, {
          from: iso(dayStart(now, zone, -averagedDays)),
          to: iso(today),
        });
  const tomorrow = dayStart(now, zone, 1);
  return new Map(
    statuses
      .filter(({ target }) => targets.includes(target))
      .map((status) => [
        status.target,
        forecastOf(status, {
          now,
          tomorrow,
          today: spentToday.get(status.target) ?? 0,
          daily: (recent.get(status.target) ?? 0) / Math.max(1, days),
        }),
      ]),
  );
}

interface Pace {
  now: number;
  /** When the next day begins. */
  tomorrow: number;
  /** Micro-dollars of today so far, and of an average day. */
  today: number;
  daily: number;
}

/** Exported for its test. */
export function forecastOf({ nanos, limit, period, state }: TargetStatus, pace: Pace): Forecast {
  const { now, tomorrow, daily } = pace;
  const restOfToday = Math.max(0, daily - pace.today);
  const bounded = Number.isFinite(period.to);
  const daysLeft = bounded ? Math.max(0, Math.round((period.to - tomorrow) / dayMs)) : 0;
  const left = limit - nanos;
  const reached =
    state === "over" || daily === 0
      ? null
      : left <= restOfToday
        ? now + (left / restOfToday) * (tomorrow - now)
        : tomorrow + ((left - restOfToday) / daily) * dayMs;
  return {
    daily_usd: Math.round(daily) / 1e9,
    ...(bounded ? { forecast_usd: Math.round(nanos + restOfToday + daily * daysLeft) / 1e9 } : {}),
    reached_at: reached === null || reached >= Math.min(period.to, latest) ? null : iso(reached),
  };
}

/** Later times are no dates. */
const latest = 8.64e15;

async function spentByTarget(
  store: Store,
  tally: Tally,
  targets: readonly string[],
  range: Pick<LedgerQuery, "from" | "to">,
): Promise<Map<string, number>> {
  const { scope } = tally.terms;
  const spent = new Map<string, number>();
  const own: LedgerGroup[] = scope === "everything" || scope === "session" ? [] : [scopeDimensions[scope]];
  const groupBy: LedgerGroup[] = [...new Set<LedgerGroup>([...own, "worker"])];
  for (const session of scope === "session" ? targets : [undefined]) {
    for (const { keys, usage } of await store.queryLedger({ ...range, groupBy, where: { session } })) {
      const { person = "", cwd = "", worker = "" } = keys;
      if (isImported(worker)) continue; // no budget counts what another program spent
      const target = tally.targetOf({ session: session ?? "", person, cwd, worker });
      if (target !== undefined) spent.set(target, (spent.get(target) ?? 0) + toNanoDollars(usage.cost_usd));
    }
  }
  return spent;
}

const iso = (time: number): string => new Date(time).toISOString();
