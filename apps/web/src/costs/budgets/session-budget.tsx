// The budget that stops this session, or is about to, above the place to write: how it stands, and what to do.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { Gauge } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { BudgetsBody, budgetsOf } from "./api.ts";
import { BudgetBar } from "./budget-bar.tsx";
import { periodLabels, spentLabel, uncountedLabel } from "./budget-labels.ts";

const GrantDialog = lazy(() =>
  import("./grant-dialog.tsx").then((module) => ({ default: module.GrantDialog })),
);

export function SessionBudget() {
  const { id } = useFeed();
  const asked = useFetchedPath(budgetsOf(id), BudgetsBody, null);
  const { refetch } = asked;
  // Events of a budget are in the transcript, and refused prompts in the feed.
  const events = useFeedState(({ transcript }) =>
    transcript.marks.reduce(
      (count, mark) => (mark.kind === "notice" && mark.source === "budget" ? count + 1 : count),
      0,
    ),
  );
  const refused = useFeedState((feed) => feed.refused);
  const limited = (asked.data?.budgets.length ?? 0) > 0;
  const spent = useFeedState(({ session }) => (limited ? (session?.usage.cost_usd ?? 0) : 0));
  const version = `${events} ${spent} ${refused?.item.id ?? ""}`;
  const known = useRef(version);
  useEffect(() => {
    if (known.current === version) return;
    known.current = version;
    refetch();
  }, [version, refetch]);
  const [granting, setGranting] = useState(false);
  const nearest = nearestOf(asked.data?.budgets ?? []);
  if (nearest === null) return null;
  const { budget, status } = nearest;
  const stops = status.state === "over" && budget.kind === "hard";
  const unseen = uncountedLabel(status);
  return (
    <section
      aria-label="Budget"
      data-budget-state={status.state}
      className={`mb-2 animate-appear rounded-md border px-3 py-2 text-sm ${stops ? "border-failed/40 bg-failed-soft" : "border-accent/40 bg-needs-soft"}`}
    >
      <div className="flex items-center gap-2 phone:flex-wrap">
        <Gauge size={15} aria-hidden className={`shrink-0 ${stops ? "text-failed" : "text-accent"}`} />
        <p className="min-w-0 flex-1 phone:basis-[calc(100%-2rem)]">
          <span className="font-medium">
            {stops ? "Used up: " : ""}
            {budget.name}
          </span>{" "}
          <span className="text-muted tabular-nums">
            {spentLabel(status)} {periodLabels[budget.period]}
            {unseen === null ? "" : ` · ${unseen}`}
          </span>
        </p>
        <button
          type="button"
          onClick={() => setGranting(true)}
          className="shrink-0 rounded-sm font-medium text-accent hover:underline phone:min-h-11 phone:pr-3"
        >
          Grant or raise
        </button>
        <Link
          href="/costs/budgets"
          className="shrink-0 text-muted hover:text-ink phone:min-h-11 phone:leading-[2.75rem]"
        >
          All budgets
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
              refetch();
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

/** What stops comes before what warns; then the one nearest to its limit. */
function nearestOf(budgets: readonly Budget[]): { budget: Budget; status: BudgetStatus } | null {
  const near = budgets.flatMap((budget) => {
    const status = budget.status[0];
    return status === undefined || status.state === "ok" ? [] : [{ budget, status }];
  });
  const weight = ({ budget, status }: (typeof near)[number]): number =>
    (budget.kind === "hard" && status.state === "over" ? 1_000 : 0) + status.spent_usd / status.limit_usd;
  return near.sort((a, b) => weight(b) - weight(a))[0] ?? null;
}
