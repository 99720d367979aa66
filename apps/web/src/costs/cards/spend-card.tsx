// The chart with its total, what it is stacked by, and a legend whose names are filters.
import { useMemo } from "react";
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { formatDollars } from "../../format/money.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { UsageTable } from "../data/api.ts";
import { coloursOf } from "../data/colours.ts";
import { bigDollars, dimensionLabel, nameLabel, nameTitle } from "../data/labels.ts";
import { stack } from "../data/series.ts";
import type { TimeSpan } from "../data/span.ts";
import { stacks, toggled, type View, writeView } from "../data/view.ts";
import { Card, Failed, Nothing } from "./card.tsx";
import { Caveats, Delta } from "./headline.tsx";
import { isAbove, type LimitLine, limitColours, SpendChart, type TotalLine } from "./spend-chart.tsx";
import { costCardTexts } from "./texts.ts";

interface Props {
  view: View;
  span: TimeSpan;
  usage: Fetched<UsageTable>;
  previous: Fetched<UsageTable>;
  /** The limit of each bar, and the budget whose period has several. */
  limit: LimitLine | null;
  total: TotalLine | null;
  onPick(first: string, last: string): void;
  onDrawn(canvas: HTMLCanvasElement | null): void;
}

export function SpendCard({ view, span, usage, previous, limit, total, onPick, onDrawn }: Props) {
  const { data } = usage;
  const stacked = useMemo(
    () => (data === null ? null : stack(data.rows, span.buckets, view.stack)),
    [data, span.buckets, view.stack],
  );
  const colours = useMemo(() => coloursOf(stacked?.layers.map(({ name }) => name) ?? []), [stacked]);
  const choices = stacks.map((value) => ({
    value,
    label: dimensionLabel(value),
    href: `/costs${writeView({ ...view, stack: value })}`,
  }));
  return (
    <Card
      title={costCardTexts.spendOverTime}
      className="mb-4"
      beside={<Segmented label={costCardTexts.stackBy} value={view.stack} choices={choices} />}
    >
      <p className="flex min-h-7 flex-wrap items-baseline gap-x-3 px-4 text-xs text-muted phone:mt-3 phone:px-3">
        <span
          data-range-total
          className="font-mono text-lg font-semibold tracking-[-0.03em] text-ink tabular-nums"
        >
          {data !== null ? (
            bigDollars(data.total)
          ) : usage.error !== null ? (
            "–"
          ) : (
            <Skeleton className="inline-block h-4 w-24" />
          )}
        </span>
        {data !== null && <Caveats spent={data.total} />}
        {data !== null && previous.data !== null && (
          <span>
            <Delta
              now={data.total}
              before={previous.data.total}
              than={costCardTexts.thanPreviousPeriod}
              none={costCardTexts.inPreviousPeriod}
            />
          </span>
        )}
      </p>
      {usage.error !== null && data === null ? (
        <div className="h-[309px] phone:h-[253px]">
          <Failed message={usage.error} again={usage.refetch} />
        </div>
      ) : stacked === null ? (
        <Waiting />
      ) : stacked.layers.length === 0 ? (
        <div className="flex h-[309px] phone:h-[253px]">
          <Nothing>
            {data !== null && data.total.calls > 0 ? costCardTexts.onlyUnpriced : costCardTexts.noCalls}
          </Nothing>
        </div>
      ) : (
        <div aria-busy={usage.outdated} className={usage.outdated ? "opacity-60" : ""}>
          <SpendChart
            stacked={stacked}
            buckets={span.buckets}
            colours={colours}
            nameOf={(name) => nameLabel(view.stack, name)}
            limit={limit}
            total={total}
            onPick={onPick}
            onDrawn={onDrawn}
          />
          <ul
            aria-label={costCardTexts.legend}
            className="flex min-h-[37px] flex-wrap items-center gap-x-1 px-3 pt-0.5 pb-2"
          >
            {stacked.layers.map(({ name, total }) => (
              <li key={name ?? "rest"}>
                <LegendName {...{ view, name, total, colour: colours.get(name) ?? "" }} />
              </li>
            ))}
            {[limit, total].map(
              (line) =>
                line !== null && (
                  <li key={line.label}>
                    <LegendLine line={line} above={line === limit && isAbove(line, stacked.totals)} />
                  </li>
                ),
            )}
          </ul>
        </div>
      )}
    </Card>
  );
}

interface LegendProps {
  view: View;
  name: string | null;
  total: number;
  colour: string;
}

function LegendName({ view, name, total, colour }: LegendProps) {
  const inner = (
    <>
      <span aria-hidden className="size-2.5 rounded-[3px]" style={{ background: colour }} />
      {nameLabel(view.stack, name)}
      <span className="font-mono text-faint tabular-nums">{formatDollars(total)}</span>
    </>
  );
  if (name === null) return <span className={legendLook}>{inner}</span>;
  const where = toggled(view.where, view.stack, name);
  return (
    <Link
      href={`/costs${writeView({ ...view, where })}`}
      title={nameTitle(view.stack, name)}
      className={`${legendLook} hover:bg-hover hover:text-ink`}
    >
      {inner}
    </Link>
  );
}

const legendLook = "flex h-6 items-center gap-1.5 rounded-sm px-1.5 text-xs text-muted phone:h-9";

/** `above`: the limit is so much more than was spent that the chart does not reach up to it. */
function LegendLine({ line, above }: { line: LimitLine | TotalLine; above: boolean }) {
  return (
    <Link href="/costs/budgets" className={`${legendLook} hover:bg-hover hover:text-ink`}>
      <span
        aria-hidden
        className="w-4 border-t-2 border-dashed"
        style={{ borderColor: `var(${limitColours[line.state]})` }}
      />
      {line.label}
      {"totals" in line && (
        <>
          <span aria-hidden className="ml-1.5 w-4 border-t-2 border-ink" />
          {costCardTexts.runningTotal}
        </>
      )}
      {above && <span className="text-faint">{costCardTexts.aboveChart}</span>}
    </Link>
  );
}

/** As high as the chart and its legend. */
const Waiting = () => (
  <div
    role="status"
    aria-label={costCardTexts.loadingChart}
    className="flex h-[309px] items-end gap-1.5 px-5 pb-12 phone:h-[253px]"
  >
    {Array.from({ length: 24 }, (_, bar) => (
      <Skeleton
        key={bar}
        className={`flex-1 ${["h-1/4", "h-2/5", "h-3/5", "h-1/3", "h-1/2"][(bar * 7) % 5]}`}
      />
    ))}
  </div>
);
