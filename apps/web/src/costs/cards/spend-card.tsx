// The chart with its total, what it is stacked by, and a legend whose names are filters.
import { useMemo } from "react";
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { formatDollars } from "../../format/money.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { UsageTable } from "../data/api.ts";
import { coloursOf } from "../data/colours.ts";
import { bigDollars, dimensionLabels, nameLabel, nameTitle } from "../data/labels.ts";
import { stack } from "../data/series.ts";
import type { TimeSpan } from "../data/span.ts";
import { stacks, toggled, type View, writeView } from "../data/view.ts";
import { Card, Failed, Nothing } from "./card.tsx";
import { Delta, Unpriced } from "./headline.tsx";
import { SpendChart } from "./spend-chart.tsx";

interface Props {
  view: View;
  span: TimeSpan;
  usage: Fetched<UsageTable>;
  previous: Fetched<UsageTable>;
  onPick(first: string, last: string): void;
  onDrawn(canvas: HTMLCanvasElement | null): void;
}

export function SpendCard({ view, span, usage, previous, onPick, onDrawn }: Props) {
  const { data } = usage;
  const stacked = useMemo(
    () => (data === null ? null : stack(data.rows, span.buckets, view.stack)),
    [data, span.buckets, view.stack],
  );
  const colours = useMemo(() => coloursOf(stacked?.layers.map(({ name }) => name) ?? []), [stacked]);
  const choices = stacks.map((value) => ({
    value,
    label: dimensionLabels[value].one,
    href: `/costs${writeView({ ...view, stack: value })}`,
  }));
  return (
    <Card
      title="Spend over time"
      className="mb-4"
      beside={<Segmented label="Stack by" value={view.stack} choices={choices} />}
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
        {data !== null && <Unpriced count={data.total.unpriced} />}
        {data !== null && previous.data !== null && (
          <span>
            <Delta
              now={data.total}
              before={previous.data.total}
              than="the time before"
              when="in the time before"
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
            {data !== null && data.total.calls > 0
              ? "There were calls, but none of them has a known price."
              : "No model was called in this time."}
          </Nothing>
        </div>
      ) : (
        <div aria-busy={usage.outdated} className={usage.outdated ? "opacity-60" : ""}>
          <SpendChart
            stacked={stacked}
            buckets={span.buckets}
            colours={colours}
            nameOf={(name) => nameLabel(view.stack, name)}
            onPick={onPick}
            onDrawn={onDrawn}
          />
          <ul
            aria-label="Legend"
            className="flex min-h-[37px] flex-wrap items-center gap-x-1 px-3 pt-0.5 pb-2"
          >
            {stacked.layers.map(({ name, total }) => (
              <li key={name ?? "rest"}>
                <LegendName {...{ view, name, total, colour: colours.get(name) ?? "" }} />
              </li>
            ))}
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
  const look = "flex h-6 items-center gap-1.5 rounded-sm px-1.5 text-xs text-muted phone:h-9";
  if (name === null) return <span className={look}>{inner}</span>;
  const where = toggled(view.where, view.stack, name);
  return (
    <Link
      href={`/costs${writeView({ ...view, where })}`}
      title={nameTitle(view.stack, name)}
      className={`${look} hover:bg-hover hover:text-ink`}
    >
      {inner}
    </Link>
  );
}

/** As high as the chart and its legend. */
const Waiting = () => (
  <div
    role="status"
    aria-label="Loading the chart"
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
