// What is going to happen to a budget, in one line: its limit is reached, or will be, or not. The rate of the last minutes counts
// where it reaches the limit before the period ends: it is news. Otherwise the forecast of the last days does.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { formatClock } from "../../../format/time.ts";
import type { Now } from "../../data/api.ts";
import { bucketLabel, dateOf } from "../../data/span.ts";
import { budgetTexts } from "./texts.ts";

export interface Outlook {
  tone: BudgetStatus["state"];
  text: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function outlookOf(budget: Budget, status: BudgetStatus, rate: number, now: number): Outlook {
  const { state, spent_usd, limit_usd, to, reached_at, daily_usd = 0 } = status;
  if (budget.period === "turn") return { tone: state, text: budgetTexts.appliesToTurns };
  if (state === "over") {
    const stops = budget.kind === "hard";
    return { tone: "over", text: stops ? budgetTexts.limitReachedStops : budgetTexts.limitReached };
  }
  const hours = rate > 0 ? (limit_usd - spent_usd) / rate : Number.POSITIVE_INFINITY;
  const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(to);
  if (hours * hourMs < Math.min(dayMs, end - now))
    return { tone: "warned", text: budgetTexts.reachedAtCurrentRate(durationLabel(hours)) };
  if (typeof reached_at === "string")
    return { tone: "warned", text: budgetTexts.reachedAround(momentLabel(reached_at, now)) };
  const text = spent_usd === 0 && daily_usd === 0 ? budgetTexts.nothingSpent : budgetTexts.staysWithin;
  return { tone: state, text };
}

const durationLabel = (hours: number): string =>
  hours < 1 ? budgetTexts.minutes(Math.max(1, Math.round(hours * 60))) : budgetTexts.hours(Math.round(hours));

const momentLabel = (time: string, now: number): string => {
  const date = new Date(time);
  return dateOf(date) === dateOf(new Date(now))
    ? budgetTexts.aroundTime(formatClock(time))
    : budgetTexts.onDay(bucketLabel(dateOf(date)));
};

/** Dollars per hour that count for a target now. */
export function rateOf({ scope }: Budget, { target }: BudgetStatus, now: Now | null): number {
  if (now === null) return 0;
  if (scope === "everything") return now.cost_usd_per_hour;
  return now.sessions
    .filter(({ id, cwd, worker }) => {
      if (scope === "project") return cwd === target || cwd.startsWith(`${target.replace(/\/$/, "")}/`);
      return scope === "worker" ? worker === target : scope === "session" ? id === target : true;
    })
    .reduce((sum, { cost_usd_per_hour }) => sum + cost_usd_per_hour, 0);
}

const weights = { over: 2, warned: 1, ok: 0 } as const;

/** What needs attention first, then what is nearest to its limit. */
export function byUrgency(
  a: { outlook: Outlook; share: number },
  b: { outlook: Outlook; share: number },
): number {
  return weights[b.outlook.tone] - weights[a.outlook.tone] || b.share - a.share;
}
