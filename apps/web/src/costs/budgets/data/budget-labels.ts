// Labels of budgets: what one is for, and how much is spent.
import type { Budget, BudgetPeriod, BudgetScope, BudgetStatus } from "@patchbay/protocol";
import { formatDollars } from "../../../format/money.ts";
import { shortDirectory } from "../../../format/path.ts";
import { agentLabel } from "../../data/labels.ts";
import { budgetTexts } from "./texts.ts";

/** The names of the texts, which are read when they are shown. */
const scopeTexts = {
  everything: ["everything", "everything"],
  project: ["aProject", "eachProject"],
  worker: ["anAgent", "eachAgent"],
  person: ["aPerson", "eachPerson"],
  session: ["aSession", "eachSession"],
} as const;

const periodTexts = {
  turn: "perTurn",
  day: "perDay",
  week: "perWeek",
  month: "perMonth",
  total: "inTotal",
} as const;

export const scopeLabel = (scope: BudgetScope): string => budgetTexts[scopeTexts[scope][0]];
export const eachLabel = (scope: BudgetScope): string => budgetTexts[scopeTexts[scope][1]];
export const periodLabel = (period: BudgetPeriod): string => budgetTexts[periodTexts[period]];

/** Whose budget it is: `names` knows sessions by their names. */
export function whose({ scope, target, period }: Budget, names: ReadonlyMap<string, string>): string {
  if (scope === "everything") return period === "turn" ? budgetTexts.everyTurn : budgetTexts.everything;
  return target === null ? eachLabel(scope) : targetName(scope, target, names);
}

export function targetName(scope: BudgetScope, target: string, names: ReadonlyMap<string, string>): string {
  if (scope === "project") return shortDirectory(target);
  if (scope === "session") return names.get(target) ?? budgetTexts.sessionCalled(target.slice(0, 6));
  if (scope === "person") return target === "" ? budgetTexts.you : target;
  if (scope === "worker") return agentLabel(target);
  return target;
}

export const share = ({ spent_usd, limit_usd }: BudgetStatus): number =>
  limit_usd > 0 ? spent_usd / limit_usd : 1;

export const spentLabel = ({ spent_usd, limit_usd }: BudgetStatus): string =>
  budgetTexts.spentOf(formatDollars(spent_usd), formatDollars(limit_usd));

/** What the sum leaves out. */
export const uncountedLabel = ({ unpriced_calls }: BudgetStatus): string | null =>
  unpriced_calls === 0 ? null : budgetTexts.uncounted(unpriced_calls);

export function resetLabel({ to }: BudgetStatus, now: number): string | null {
  if (to === null) return null;
  const hours = (Date.parse(to) - now) / 3_600_000;
  if (hours < 1) return budgetTexts.resetsWithinHour;
  if (hours < 36) return budgetTexts.resetsInHours(Math.round(hours));
  return budgetTexts.resetsInDays(Math.round(hours / 24));
}
