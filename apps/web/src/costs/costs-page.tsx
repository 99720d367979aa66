// What agents cost: four numbers, a chart, ranked lists, and the turns behind them. What is shown is the address;
// a chunk of its own, so that sessions open as fast as without it.
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { saveFile } from "../api/http/download.ts";
import { formatDollars } from "../format/money.ts";
import { usePageTitle } from "../navigation/page-title.ts";
import { useTeam } from "../people/team.ts";
import { AlertsStrip } from "./alerts/alerts-strip.tsx";
import { BudgetStrip } from "./budgets/budget-strip.tsx";
import { BudgetsBody } from "./budgets/data/api.ts";
import { periodLabel } from "./budgets/data/budget-labels.ts";
import { CacheCard } from "./cards/cache-card.tsx";
import { Headline } from "./cards/headline.tsx";
import { Lists } from "./cards/lists.tsx";
import { NamesTable } from "./cards/names-table.tsx";
import { RunningCard } from "./cards/running-card.tsx";
import { SpendCard } from "./cards/spend-card.tsx";
import type { LimitLine, TotalLine } from "./cards/spend-chart.tsx";
import { costCardTexts } from "./cards/texts.ts";
import { TurnCostsCard } from "./cards/turn-costs-card.tsx";
import { TurnsTable } from "./cards/turns-table.tsx";
import { CostFilters } from "./cost-filters.tsx";
import { CostsBar } from "./costs-bar.tsx";
import { ask, askSummary, askUsage, Now, Summary, UsageTable } from "./data/api.ts";
import { coloursOf } from "./data/colours.ts";
import { bigDollars, dimensionLabel, nameLabel } from "./data/labels.ts";
import { type Limit, limitsOf, runningTotal, totalSpan } from "./data/limit.ts";
import { namePeople } from "./data/person-names.ts";
import { stack } from "./data/series.ts";
import { bucketTitle, dateOf, daysBetween, spanOf, type TimeSpan } from "./data/span.ts";
import { useFetchedPath } from "./data/use-fetched-path.ts";
import { readView, type View, writeView } from "./data/view.ts";
import { drawPicture } from "./picture.ts";
import { PlansCard } from "./plans/plans-card.tsx";
import { useCurrency } from "./settings/currency.ts";
import { costsTexts } from "./texts.ts";

/** The pace is live; sums change with every call, but a chart need not change that often. */
const paceMs = 5_000;
const sumsMs = 10_000;
const chartMs = 30_000;

export default function CostsPage() {
  useCurrency();
  const { team } = useTeam();
  namePeople(team?.people ?? []); // before anything below is named
  const search = useSearch();
  const [, navigate] = useLocation();
  const view = useMemo(() => readView(search), [search]);
  const minute = useMinute();
  const span = useMemo(() => spanOf(view.range, minute), [view.range, minute]);
  const everyMs = span.live ? chartMs : null;
  const summary = useFetchedPath(askSummary(view.where), Summary, sumsMs);
  const now = useFetchedPath("/api/usage/now", Now, paceMs);
  const usage = useFetchedPath(askUsage(span, view.where, span.unit, view.stack), UsageTable, everyMs);
  const previous = useFetchedPath(askUsage(span.previous, view.where, view.stack), UsageTable, null);
  const budgets = useFetchedPath("/api/budgets", BudgetsBody, sumsMs);
  const { limit, total } = useLimits(budgets.data, view, span, everyMs, minute);
  const chart = useRef<HTMLCanvasElement>(null);
  const show = (from: string, to: string): void =>
    navigate(`/costs${writeView({ ...view, range: { kind: "custom", from, to } })}`);
  useTitle(summary.data);
  const drawn = usage.data !== null && usage.data.total.cost_usd > 0 ? usage.data : null;
  const untouched =
    search === "" && summary.data !== null && usage.data !== null && summary.data.month.calls === 0;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <CostsBar
        view={view}
        today={dateOf(minute)}
        onRange={show}
        onImported={() => {
          for (const asked of [summary, usage, previous]) asked.refetch();
        }}
        exports={{
          csv: askUsage(span, view.where, span.unit, view.stack).replace("/api/usage?", "/api/usage.csv?"),
          json: askUsage(span, view.where, span.unit, view.stack),
          calls: (file) => ask(`/api/usage/${file}`, span, view.where),
          png:
            drawn === null
              ? null
              : () => chart.current !== null && void savePicture(chart.current, drawn, view, span),
        }}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[1240px] px-6 pt-5 pb-10 phone:px-3 phone:pt-3">
          {untouched && usage.data?.total.calls === 0 ? (
            <Untouched />
          ) : (
            <>
              <AlertsStrip />
              <CostFilters view={view} />
              <Headline summary={summary} now={now} view={view} at={minute} />
              <BudgetStrip asked={budgets} now={now.data} at={minute} />
              <PlansCard />
              <SpendCard
                {...{ view, span, usage, previous, limit, total }}
                onPick={(first, last) => {
                  const days = daysBetween(span, first, last);
                  show(days.from, days.to);
                }}
                onDrawn={(canvas) => {
                  chart.current = canvas;
                }}
              />
              <Lists view={view} span={span} everyMs={everyMs} />
              <div className="mb-4 grid grid-cols-3 gap-4 max-lg:grid-cols-1">
                <CacheCard path={ask("/api/usage/cache", span, view.where)} everyMs={everyMs} />
                <TurnCostsCard path={ask("/api/usage/distribution", span, view.where)} everyMs={everyMs} />
                <RunningCard now={now} />
              </div>
              <TurnsTable
                path={ask("/api/usage/turns", span, view.where, { limit: "10" })}
                everyMs={everyMs}
              />
              <NamesTable {...{ view, usage, previous }} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

/** The limits that belong in the chart of this view, and the running total of the budget that needs one. */
function useLimits(
  budgets: BudgetsBody | null,
  view: View,
  span: TimeSpan,
  everyMs: number | null,
  now: Date,
): { limit: LimitLine | null; total: TotalLine | null } {
  const { ofBars, ofTotal } = limitsOf(budgets?.budgets ?? [], view.where, span);
  const path =
    ofTotal === null
      ? null
      : ask("/api/usage", totalSpan(ofTotal, span), view.where, {
          group_by: `${span.unit},worker`,
          tz: ofTotal.budget.time_zone,
        });
  const { data, outdated } = useFetchedPath(path, UsageTable, everyMs);
  const bar = span.unit === "hour" ? hourOf(now) : dateOf(now);
  return {
    limit: ofBars === null ? null : limitLine(ofBars),
    total:
      ofTotal === null || data === null || outdated
        ? null
        : { ...limitLine(ofTotal), ...runningTotal(ofTotal, data.rows, span.buckets, bar) },
  };
}

const hourOf = (time: Date): string => `${dateOf(time)}T${String(time.getHours()).padStart(2, "0")}:00`;

const limitLine = ({ budget, status }: Limit): LimitLine => ({
  label: costCardTexts.limitOf(
    budget.name,
    `${formatDollars(status.limit_usd)} ${periodLabel(budget.period)}`,
  ),
  limit_usd: status.limit_usd,
  state: status.state,
});

async function savePicture(
  chart: HTMLCanvasElement,
  usage: UsageTable,
  view: View,
  span: TimeSpan,
): Promise<void> {
  const { layers } = stack(usage.rows, span.buckets, view.stack);
  const colours = coloursOf(layers.map(({ name }) => name));
  const [first = "", last = ""] = [span.buckets[0], span.buckets.at(-1)];
  const days = [bucketTitle(first.slice(0, 10)), bucketTitle(last.slice(0, 10))];
  const blob = await drawPicture({
    chart,
    title: costCardTexts.spendBy(dimensionLabel(view.stack), [...new Set(days)].join(" – ")),
    total: bigDollars(usage.total),
    legend: layers.map(({ name, total }) => ({
      name: nameLabel(view.stack, name),
      total: formatDollars(total),
      colour: colours.get(name) ?? "",
    })),
  });
  saveFile(blob, "patchbay-costs.png");
}

/** Ranges move with the clock: at midnight, today is another day. */
function useMinute(): Date {
  const [minute, setMinute] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setMinute(new Date()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

function useTitle(summary: Summary | null): void {
  const today = summary === null ? null : bigDollars(summary.today);
  useEffect(() => {
    usePageTitle.setState({ title: costsTexts.pageTitle(today) });
    return () => usePageTitle.setState({ title: "Patchbay" });
  }, [today]);
}

const Untouched = () => (
  <div className="mx-auto max-w-[60ch] py-24 phone:py-12">
    <h2 className="text-lg font-semibold">{costCardTexts.nothingSpent}</h2>
    <p className="mt-2 text-muted">{costCardTexts.nothingSpentText}</p>
    <Link
      href="/"
      className="mt-5 inline-flex h-8 items-center rounded-md bg-fill px-3 text-sm font-medium text-on-fill hover:bg-fill-hover phone:h-11"
    >
      {costCardTexts.startSession}
    </Link>
  </div>
);
