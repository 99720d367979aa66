// The budgets on the costs page, each with what is spent, the forecast and the limit: will we exceed it? A click shows the
// costs that it counts, with its limit in the chart.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { formatDollars } from "../../format/money.ts";
import { Button } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Card, Failed } from "../cards/card.tsx";
import { rowLink } from "../cards/row-link.ts";
import type { Now } from "../data/api.ts";
import { BudgetBar } from "./budget-bar.tsx";
import type { BudgetsBody } from "./data/api.ts";
import { budgetAddress } from "./data/budget-address.ts";
import { periodLabel, resetLabel, share, spentLabel, targetName, whose } from "./data/budget-labels.ts";
import { byUrgency, type Outlook, outlookOf, rateOf } from "./data/outlook.ts";
import { budgetTexts } from "./data/texts.ts";
import { useSessionNames } from "./data/use-session-names.ts";

const BudgetDialog = lazyPart(async () => ({ default: (await import("./budget-dialog.tsx")).BudgetDialog }));

/** Two rows of the widest page. The others are one click away. */
const shownBudgets = 8;

interface Props {
  asked: Fetched<BudgetsBody>;
  now: Now | null;
  /** The current time. */
  at: Date;
}

export function BudgetStrip({ asked, now, at }: Props) {
  const [creating, setCreating] = useState(false);
  const budgets = asked.data?.budgets;
  const close = (): void => setCreating(false);
  return (
    <Card title={budgetTexts.budgets} className="mb-4" beside={<Beside onNew={() => setCreating(true)} />}>
      {budgets === undefined ? (
        asked.error === null ? (
          <div role="status" className="flex h-[116px] items-center px-4">
            <Skeleton className="h-4 w-2/5" />
          </div>
        ) : (
          <Failed message={asked.error} again={asked.refetch} />
        )
      ) : budgets.length === 0 ? (
        <p className="flex flex-wrap items-center gap-3 px-4 pt-0.5 pb-3.5 text-sm text-muted phone:px-3">
          {budgetTexts.noBudgetsStrip}
        </p>
      ) : (
        <Tiles budgets={budgets} now={now} at={at.getTime()} />
      )}
      {creating && (
        <Suspense>
          <BudgetDialog
            budget={null}
            onClose={close}
            onDone={() => {
              close();
              asked.refetch();
            }}
          />
        </Suspense>
      )}
    </Card>
  );
}

const Beside = ({ onNew }: { onNew(): void }) => (
  <>
    <Link
      href="/costs/budgets"
      className="rounded-sm px-1 text-xs text-muted hover:text-ink hover:underline phone:px-2 phone:leading-[44px]"
    >
      {budgetTexts.manage}
    </Link>
    <Button look="plain" onClick={onNew}>
      <Plus size={14} aria-hidden /> {budgetTexts.createBudget}
    </Button>
  </>
);

interface Entry {
  budget: Budget;
  /** Absent: nothing has been counted for any target yet. */
  status: BudgetStatus | undefined;
  outlook: Outlook;
  share: number;
}

function Tiles({ budgets, now, at }: { budgets: readonly Budget[]; now: Now | null; at: number }) {
  const entries = budgets
    .map((budget): Entry => {
      const status = budget.status[0];
      if (status === undefined) {
        const text = budget.period === "turn" ? budgetTexts.appliesToTurns : budgetTexts.nothingSpent;
        return { budget, status, outlook: { tone: "ok", text }, share: 0 };
      }
      const outlook = outlookOf(budget, status, rateOf(budget, status, now), at);
      return { budget, status, outlook, share: share(status) };
    })
    .sort(byUrgency);
  return (
    <>
      {/* On a phone they are side by side: below each other they would push everything else off the screen. */}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(250px,1fr))] overflow-hidden rounded-b-md border-t border-line phone:flex phone:snap-x phone:overflow-x-auto">
        {entries.slice(0, shownBudgets).map((entry) => (
          <Tile key={entry.budget.id} entry={entry} at={at} />
        ))}
      </ul>
      {entries.length > shownBudgets && (
        <p className="border-t border-line px-4 py-2 text-xs">
          <Link href="/costs/budgets" className="text-muted hover:text-ink hover:underline">
            {budgetTexts.showAll(entries.length)}
          </Link>
        </p>
      )}
    </>
  );
}

const inks = { ok: "text-muted", warned: "text-accent", over: "text-failed" } as const;

function Tile({ entry: { budget, status, outlook }, at }: { entry: Entry; at: number }) {
  const names = useSessionNames();
  const more = budget.status.length - 1;
  const each = budget.target === null && budget.scope !== "everything" && status !== undefined;
  const scope = each
    ? targetName(budget.period === "turn" ? "session" : budget.scope, status.target, names)
    : whose(budget, names);
  return (
    <li
      data-budget={budget.name}
      data-tone={outlook.tone}
      className="relative min-w-0 flex-1 px-4 py-3 shadow-[1px_1px_0_var(--line)] hover:bg-hover phone:min-w-[78vw] phone:snap-start phone:px-3"
    >
      <p className="flex items-baseline gap-2 text-sm">
        <Link
          href={budgetAddress(budget, status)}
          aria-label={budgetTexts.showCosts(budget.name)}
          className={`min-w-0 truncate font-medium ${rowLink}`}
        >
          {budget.name}
        </Link>
        <span className="min-w-0 flex-1 truncate text-xs text-faint">
          {scope}
          {each && more > 0 && ` ${budgetTexts.moreTargets(more)}`}
        </span>
        {status !== undefined && (
          <span className={`shrink-0 font-mono text-xs tabular-nums ${inks[status.state]}`}>
            {Math.round(share(status) * 100)} %
          </span>
        )}
      </p>
      <p className="mt-0.5 mb-1.5 truncate font-mono text-sm tabular-nums">
        {status === undefined ? formatDollars(budget.limit_usd) : spentLabel(status)}
        <span className="font-sans text-xs text-muted"> {periodLabel(budget.period)}</span>
      </p>
      {status !== undefined && <BudgetBar status={status} warnAt={budget.warn_percent} />}
      <p className={`mt-1.5 truncate text-xs ${inks[outlook.tone]}`}>{outlook.text}</p>
      <p className="truncate text-xs text-faint">{status !== undefined && <Ending {...{ status, at }} />}</p>
    </li>
  );
}

/** The forecast for the end of the period, and when that is. */
function Ending({ status, at }: { status: BudgetStatus; at: number }) {
  const { forecast_usd, limit_usd } = status;
  const reset = resetLabel(status, at) ?? budgetTexts.doesNotReset;
  if (forecast_usd === undefined) return reset;
  return (
    <>
      <span className={forecast_usd > limit_usd ? "text-accent" : ""}>
        {budgetTexts.forecast(formatDollars(forecast_usd))}
      </span>
      {` · ${reset}`}
    </>
  );
}
