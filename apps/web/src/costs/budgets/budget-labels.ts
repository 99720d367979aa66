// Labels of budgets: what one is for, and how much is spent.
import type { Budget, BudgetPeriod, BudgetScope, BudgetStatus } from "@patchbay/protocol";
import { formatDollars } from "../../format/money.ts";
import { shortDirectory } from "../../format/path.ts";
import { plural } from "../../format/plural.ts";

export const scopeLabels: Readonly<Record<BudgetScope, string>> = {
  everything: "Everything",
  project: "A project",
  worker: "A worker",
  person: "A person",
  session: "A session",
};

export const periodLabels: Readonly<Record<BudgetPeriod, string>> = {
  turn: "per turn",
  day: "a day",
  week: "a week",
  month: "a month",
  total: "in all",
};

const each: Readonly<Record<BudgetScope, string>> = {
  everything: "Everything",
  project: "Each project",
  worker: "Each worker",
  person: "Each person",
  session: "Each session",
};

/** Whose budget it is: `names` knows sessions by their names. */
export function whose({ scope, target, period }: Budget, names: ReadonlyMap<string, string>): string {
  if (scope === "everything") return period === "turn" ? "Every turn" : "Everything";
  return target === null ? each[scope] : targetName(scope, target, names);
}

export function targetName(scope: BudgetScope, target: string, names: ReadonlyMap<string, string>): string {
  if (scope === "project") return shortDirectory(target);
  if (scope === "session") return names.get(target) ?? `session ${target.slice(0, 6)}`;
  if (scope === "person") return target === "" ? "You" : target;
  return target;
}

export const share = ({ spent_usd, limit_usd }: BudgetStatus): number =>
  limit_usd > 0 ? spent_usd / limit_usd : 1;

export const spentLabel = ({ spent_usd, limit_usd }: BudgetStatus): string =>
  `${formatDollars(spent_usd)} of ${formatDollars(limit_usd)}`;

/** What the sum leaves out. */
export const uncountedLabel = ({ unpriced_calls }: BudgetStatus): string | null =>
  unpriced_calls === 0 ? null : `${plural(unpriced_calls, "call")} without a known price not counted`;

export function restartLabel({ to }: BudgetStatus, now: number): string | null {
  if (to === null) return null;
  const hours = (Date.parse(to) - now) / 3_600_000;
  if (hours < 1) return "begins anew within the hour";
  if (hours < 36) return `begins anew in ${Math.round(hours)} h`;
  return `begins anew in ${Math.round(hours / 24)} days`;
}
