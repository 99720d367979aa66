// How much of a budget is spent, as a bar: amber from its warning on, red at its limit.
import type { BudgetStatus } from "@patchbay/protocol";
import { share, spentLabel } from "./budget-labels.ts";

const fills = { ok: "bg-muted", warned: "bg-fill", over: "bg-failed" } as const;

export function BudgetBar({ status, warnAt }: { status: BudgetStatus; warnAt: number }) {
  const percent = Math.round(share(status) * 100);
  return (
    <div
      role="meter"
      aria-label="Spent"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, percent)}
      aria-valuetext={`${percent} %, ${spentLabel(status)}`}
      data-budget-state={status.state}
      className="relative h-1.5 overflow-hidden rounded-full bg-selected"
    >
      <div
        className={`h-full rounded-full ${fills[status.state]}`}
        style={{ width: `${Math.min(100, Math.max(percent, status.spent_usd > 0 ? 1 : 0))}%` }}
      />
      {/* Where the warning is: a notch, so that one sees it coming. */}
      <span aria-hidden className="absolute inset-y-0 w-px bg-canvas" style={{ left: `${warnAt}%` }} />
    </div>
  );
}
