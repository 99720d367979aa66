// The budget above the composer: a warning, or that it stops the agent, and the way to more.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { Gauge } from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "wouter";
import { lazyPart } from "../../ui/lazy-part.ts";
import { BudgetBar } from "./budget-bar.tsx";
import { periodLabel, spentLabel, uncountedLabel } from "./data/budget-labels.ts";
import { budgetTexts } from "./data/texts.ts";

const GrantDialog = lazyPart(async () => ({ default: (await import("./grant-dialog.tsx")).GrantDialog }));

interface Props {
  budget: Budget;
  status: BudgetStatus;
  /** The budget has more room now. */
  onChange(): void;
}

export function BudgetBanner({ budget, status, onChange }: Props) {
  const [granting, setGranting] = useState(false);
  const stops = status.state === "over" && budget.kind === "hard";
  const unseen = uncountedLabel(status);
  return (
    <section
      aria-label={budgetTexts.budget}
      data-budget-state={status.state}
      className={`mb-2 animate-appear rounded-md border px-3 py-2 text-sm ${stops ? "border-failed/40 bg-failed-soft" : "border-accent/40 bg-needs-soft"}`}
    >
      <div className="flex items-center gap-2 phone:flex-wrap">
        <Gauge size={15} aria-hidden className={`shrink-0 ${stops ? "text-failed" : "text-accent"}`} />
        <p className="min-w-0 flex-1 phone:basis-[calc(100%-2rem)]">
          <span className="font-medium">{stops ? budgetTexts.usedUp(budget.name) : budget.name}</span>{" "}
          <span className="text-muted tabular-nums">
            {spentLabel(status)} {periodLabel(budget.period)}
            {unseen === null ? "" : ` · ${unseen}`}
          </span>
        </p>
        <button
          type="button"
          onClick={() => setGranting(true)}
          className="shrink-0 rounded-sm font-medium text-accent hover:underline phone:min-h-11 phone:pr-3"
        >
          {budgetTexts.grantOrRaise}
        </button>
        <Link
          href="/costs/budgets"
          className="shrink-0 text-muted hover:text-ink phone:min-h-11 phone:leading-[2.75rem]"
        >
          {budgetTexts.allBudgets}
        </Link>
      </div>
      <div className="mt-1.5">
        <BudgetBar status={status} warnAt={budget.warn_percent} />
      </div>
      {granting && (
        <Suspense>
          <GrantDialog
            budget={budget}
            status={status}
            onClose={() => setGranting(false)}
            onDone={() => {
              setGranting(false);
              onChange();
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
