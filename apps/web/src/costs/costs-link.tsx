// The way to the costs, with what today has cost so far. Part of the first load: it knows nothing of charts.
import { ChartNoAxesColumn } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useRoute } from "wouter";
import { whenIdle } from "../device/when-idle.ts";
import { bigDollars, unpricedLabel } from "./data/labels.ts";
import { askToday, Today } from "./data/today.ts";
import { useFetchedPath } from "./data/use-fetched-path.ts";
import { costsTexts } from "./texts.ts";

const everyMs = 15_000;

export function CostsLink() {
  const [here] = useRoute("/costs/*?");
  // On the costs page itself it is the first of its questions; elsewhere it can wait.
  const [settled, setSettled] = useState(here);
  useEffect(() => whenIdle(() => setSettled(true)), []);
  const { data } = useFetchedPath(settled ? askToday() : null, Today, everyMs);
  const today = data?.today;
  const unpriced = unpricedLabel(today?.unpriced ?? 0);
  return (
    <div className="shrink-0 border-t border-line">
      <Link
        href="/costs"
        aria-current={here ? "page" : undefined}
        title={unpriced === null ? undefined : costsTexts.todayWithout(unpriced)}
        className={`m-2 flex h-8 shrink-0 items-center gap-2.5 rounded-md px-2 text-sm phone:h-12 ${here ? "bg-selected text-ink" : "text-muted hover:bg-hover hover:text-ink"}`}
      >
        <ChartNoAxesColumn size={15} aria-hidden className="text-faint" />
        <span className="flex-1">{costsTexts.costs}</span>
        {today !== undefined && (
          <span className="text-xs text-faint tabular-nums">
            {today.cost_usd === 0 && unpriced !== null ? unpriced : costsTexts.amountToday(bigDollars(today))}
          </span>
        )}
      </Link>
    </div>
  );
}
