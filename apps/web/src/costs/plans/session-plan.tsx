// What is left of the plan that a session's agent works on: one quiet line below the composer, only where the agent tells it. It names
// the window that binds first.
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { useFeedState } from "../../connection/use-feed.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { useCurrency } from "../settings/currency.ts";
import { levelFill, levelOf, PlansBody, resetsLabel, usedLabel, windowLabel } from "./plan-figures.ts";
import { planTexts } from "./texts.ts";
import { useNow } from "./use-now.ts";

/** What resets moves with the clock, and another session may use the plan too. */
const lookMs = 60_000;

export default function SessionPlan({ agent }: { agent: string }) {
  const now = useNow();
  useCurrency(); // this part is loaded with every session, and after its first picture
  const path = `/api/costs/plan-limits?${new URLSearchParams({ agent })}`;
  const { data, refetch } = useFetchedPath(path, PlansBody, lookMs);
  // Agents tell it with their answers: after each turn it may be another.
  const marks = useFeedState(({ transcript }) => transcript.marks.length);
  const known = useRef(marks);
  useEffect(() => {
    if (known.current === marks) return;
    known.current = marks;
    refetch();
  }, [marks, refetch]);
  const plan = data?.plans[0];
  const window = plan?.windows.find(({ id }) => id === plan.binds);
  if (plan === undefined || window === undefined) return null;
  const facts = plan.windows
    .filter(({ has_reset }) => !has_reset)
    .map((each) =>
      [planTexts.short(windowLabel(each), usedLabel(each)), resetsLabel(each, now)]
        .filter(Boolean)
        .join(", "),
    );
  const level = levelOf(window);
  return (
    <Link
      href="/costs"
      title={facts.join("\n")}
      data-plan={level}
      className={`-mt-0.5 flex h-6 items-center justify-end gap-2 truncate px-1.5 text-xs tabular-nums hover:text-ink phone:h-8 ${level === "ok" ? "text-faint" : "text-muted"}`}
    >
      <span aria-hidden className="h-1 w-12 shrink-0 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full ${levelFill[level]}`}
          style={{ width: `${Math.min(100, window.used_percent ?? 100)}%` }}
        />
      </span>
      <span className="truncate">
        {planTexts.short(windowLabel(window), usedLabel(window))}
        {window.resets_at !== undefined && <> · {resetsLabel(window, now)}</>}
      </span>
    </Link>
  );
}
