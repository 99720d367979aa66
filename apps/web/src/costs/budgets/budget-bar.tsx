// How much of a budget is spent, as a bar: amber from its warning on, red at its limit. The forecast is behind it, paler.
import type { BudgetStatus } from "@patchbay/protocol";
import { share, spentLabel } from "./data/budget-labels.ts";
import { budgetTexts } from "./data/texts.ts";

const fills = { ok: "bg-muted", warned: "bg-fill", over: "bg-failed" } as const;

export function BudgetBar({ status, warnAt }: { status: BudgetStatus; warnAt: number }) {
  const percent = Math.round(share(status) * 100);
  return (
    <div
      role="meter"
      aria-label={budgetTexts.spent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, percent)}
      aria-valuetext={budgetTexts.percentSpent(percent, spentLabel(status))}
      data-budget-state={status.state}
      className="relative h-1.5 overflow-hidden rounded-full bg-selected"
    >
      {(status.forecast_usd ?? 0) > status.spent_usd && (
        <div
          className={`absolute inset-y-0 left-0 rounded-full opacity-35 ${(status.forecast_usd ?? 0) > status.limit_usd ? "bg-fill" : "bg-muted"}`}
          style={{ width: `${Math.min(100, ((status.forecast_usd ?? 0) / status.limit_usd) * 100)}%` }}
        />
      )}
      <div
        className={`relative h-full rounded-full ${fills[status.state]}`}
        style={{ width: `${Math.min(100, Math.max(percent, status.spent_usd > 0 ? 1 : 0))}%` }}
      />
      {/* Where the warning is: a notch, so that one sees it coming. */}
      <span aria-hidden className="absolute inset-y-0 w-px bg-canvas" style={{ left: `${warnAt}%` }} />
    </div>
  );
}
