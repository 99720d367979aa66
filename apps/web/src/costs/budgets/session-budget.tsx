// Finds the budget that warns or stops in a session, among those that apply to it. What it shows is loaded when there is one: most
// sessions have none.
import type { Budget, BudgetStatus } from "@patchbay/protocol";
import { Suspense, useEffect, useRef } from "react";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { BudgetsBody, budgetsOf } from "./data/api.ts";

const BudgetBanner = lazyPart(async () => ({ default: (await import("./budget-banner.tsx")).BudgetBanner }));

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
  const nearest = nearestOf(asked.data?.budgets ?? []);
  return nearest === null ? null : (
    <Suspense>
      <BudgetBanner {...nearest} onChange={refetch} />
    </Suspense>
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
