// Budgets as programs outside say and are told them.
import type { BudgetStatus } from "@patchbay/protocol";
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
