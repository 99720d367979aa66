// The costs that a budget counts: its scope as a filter, and its period, to the end, as the range.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { whereOf } from "../../data/limit.ts";
import { dateOf } from "../../data/span.ts";
import { type DateRange, writeView } from "../../data/view.ts";

export function budgetAddress(budget: Budget, status: BudgetStatus | undefined): string {
  if (status === undefined || budget.period === "turn") return "/costs/budgets";
  return `/costs${writeView({ range: rangeOf(status), stack: "model", where: whereOf(budget, status) })}`;
}

const rangeOf = ({ from, to }: BudgetStatus): DateRange =>
  from === null || to === null
    ? { kind: "30d" }
    : { kind: "custom", from: dateOf(new Date(from)), to: dateOf(new Date(Date.parse(to) - 1)) };
