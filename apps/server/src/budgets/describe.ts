// Budgets as programs outside say and are told them.
import type { BudgetStatus, BudgetTerms } from "@patchbay/protocol";
import type { Standing } from "./tally.ts";

export const describeStanding = ({
  target,
  period,
  micros,
  limit,
  granted,
  unpriced,
  state,
}: Standing): BudgetStatus => {
  const bounded = Number.isFinite(period.to);
  return {
    target,
    from: bounded ? new Date(period.from).toISOString() : null,
    to: bounded ? new Date(period.to).toISOString() : null,
    spent_usd: micros / 1e6,
    limit_usd: limit / 1e6,
    granted_usd: granted / 1e6,
    state,
    unpriced_calls: unpriced,
  };
};

/** Of everything there is one; a directory is meant with or without a slash at its end. */
export function tidy(terms: BudgetTerms): BudgetTerms {
  const { scope, target } = terms;
  if (scope === "everything") return { ...terms, target: null };
  return scope === "project" && target !== null
    ? { ...terms, target: target.replace(/(?<=.)\/+$/, "") }
    : terms;
}
