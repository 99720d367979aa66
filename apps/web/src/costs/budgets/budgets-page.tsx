// Budgets: what may be spent, how much of it is, and what happens at the limit.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { ArrowLeft, Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { Filled } from "../cards/card.tsx";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { BudgetDialog } from "./budget-dialog.tsx";
import { BudgetRow } from "./budget-row.tsx";
import { BudgetsBody } from "./data/api.ts";
import { budgetTexts } from "./data/texts.ts";
import { useSessionNames } from "./data/use-session-names.ts";
import { DeleteBudget } from "./delete-budget.tsx";
import { GrantDialog } from "./grant-dialog.tsx";

/** Bars that grow while agents work. */
const lookMs = 5_000;

type Doing =
  | { what: "nothing" }
  | { what: "edit"; budget: Budget | null }
  | { what: "grant"; budget: Budget; status: BudgetStatus }
  | { what: "delete"; budget: Budget };

export default function BudgetsPage() {
  const asked = useFetchedPath("/api/budgets", BudgetsBody, lookMs);
  const [doing, setDoing] = useState<Doing>({ what: "nothing" });
  const names = useSessionNames();
  const done = (): void => {
    setDoing({ what: "nothing" });
    asked.refetch();
  };
  const close = (): void => setDoing({ what: "nothing" });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line pr-3 pl-4 phone:pr-2 phone:pl-1">
        <Link
          href="/costs"
          aria-label={budgetTexts.backToCosts}
          className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink phone:size-11"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className="flex-1 font-semibold tracking-[-0.01em]">{budgetTexts.budgets}</h1>
        <Button look="primary" onClick={() => setDoing({ what: "edit", budget: null })}>
          <Plus size={15} aria-hidden /> {budgetTexts.newBudget}
        </Button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[820px] px-6 pt-5 pb-10 phone:px-3 phone:pt-3">
          <Filled asked={asked} rows={6}>
            {({ budgets }) =>
              budgets.length === 0 ? (
                <NoBudgets onNew={() => setDoing({ what: "edit", budget: null })} />
              ) : (
                <ul aria-label={budgetTexts.budgets} className="rounded-md border border-line bg-panel">
                  {budgets.map((budget) => (
                    <BudgetRow
                      key={budget.id}
                      budget={budget}
                      names={names}
                      now={Date.now()}
                      onGrant={(status) => setDoing({ what: "grant", budget, status })}
                      onEdit={() => setDoing({ what: "edit", budget })}
                      onDelete={() => setDoing({ what: "delete", budget })}
                    />
                  ))}
                </ul>
              )
            }
          </Filled>
        </div>
      </div>
      {doing.what === "edit" && <BudgetDialog budget={doing.budget} onClose={close} onDone={done} />}
      {doing.what === "grant" && (
        <GrantDialog budget={doing.budget} status={doing.status} onClose={close} onDone={done} />
      )}
      {doing.what === "delete" && (
        <DeleteBudget budget={doing.budget} onClose={close} onDone={asked.refetch} />
      )}
    </div>
  );
}

const NoBudgets = ({ onNew }: { onNew(): void }) => (
  <div className="flex flex-col items-center gap-3 rounded-md border border-line bg-panel px-6 py-14 text-center">
    <h2 className="text-[0.9375rem] font-semibold">{budgetTexts.noBudgets}</h2>
    <p className="max-w-[52ch] text-sm text-muted">{budgetTexts.noBudgetsText}</p>
    <Button look="primary" onClick={onNew}>
      <Plus size={15} aria-hidden /> {budgetTexts.createBudget}
    </Button>
  </div>
);
