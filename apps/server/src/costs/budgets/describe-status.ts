// The status of a budget's target as the API shows it.
import type { BudgetStatus } from "@patchbay/protocol";
import type { TargetStatus } from "./tally.ts";

/** `reserved`: for calls that run, in nano-dollars. */
export const describeStatus = (
  { target, period, nanos, limit, granted, unpriced, state }: TargetStatus,
  reserved: number,
): BudgetStatus => {
  const bounded = Number.isFinite(period.to);
  return {
    target,
    from: bounded ? new Date(period.from).toISOString() : null,
    to: bounded ? new Date(period.to).toISOString() : null,
    spent_usd: nanos / 1e9,
    limit_usd: limit / 1e9,
    granted_usd: granted / 1e9,
    state,
    unpriced_calls: unpriced,
    ...(reserved === 0 ? {} : { reserved_usd: reserved / 1e9 }),
  };
};
