// Spend over time as stacked bars. Drawn by uPlot on positions, not times: an hour or a day is one bar, however
// long the zone's clocks made it.

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { grouped } from "../../format/number.ts";
import "uplot/dist/uPlot.min.css";
import { formatDollars } from "../../format/money.ts";
import { unpricedLabel } from "../data/labels.ts";
import { edges, type Stacked } from "../data/series.ts";
import { bucketLabel, bucketTitle } from "../data/span.ts";

interface Props {
  stacked: Stacked;
  buckets: readonly string[];
  colours: ReadonlyMap<string | null, string>;
  nameOf(name: string | null): string;
  /** One bar was clicked, or several dragged over. */
  onPick(first: string, last: string): void;
  /** Given the drawing, for a picture of it. */
  onDrawn(canvas: HTMLCanvasElement | null): void;
}

export function SpendChart({ stacked, buckets, colours, nameOf, onPick, onDrawn }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<{ index: number; left: number; width: number } | null>(null);
  const theme = useThemeName();
  const size = useSize(holder);
  const shape = JSON.stringify([edges(stacked.layers), buckets, [...colours], theme, size]);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  }, [onPick]);

  useLayoutEffect(() => {
    const element = holder.current;
    if (element === null || size === null) return;
    const chart = new uPlot(
      chartOptions(size, buckets, stacked, colours, {
        hovered: (index) =>
          setHover(
            index === null ? null : { index, left: chart.valToPos(index, "x"), width: barWidth(chart) },
          ),
        picked: (first, last) => {
          const [from, to] = [buckets[first], buckets[last]];
          if (from !== undefined && to !== undefined) pick.current(from, to);
        },
      }),
      [buckets.map((_, index) => index), ...edges(stacked.layers).toReversed()],
      element,
    );
    onDrawn(chart.ctx.canvas);
    return () => {
      onDrawn(null);
      chart.destroy();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shape` is all of them, by value
  }, [shape]);

  const total = stacked.totals.reduce((sum, value) => sum + value, 0);
  return (
    <div className="relative px-2 pt-2">
      <div
        ref={holder}
        role="img"
        aria-label={`Spend over time, ${formatDollars(total)} in all; the table below has the numbers`}
        className="h-[264px] w-full phone:h-[208px]"
      />
      {hover !== null && size !== null && <Tooltip {...{ hover, size, stacked, buckets, colours, nameOf }} />}
    </div>
  );
}

interface Size {
  width: number;
  height: number;
}

const barWidth = (chart: uPlot): number => chart.valToPos(1, "x") - chart.valToPos(0, "x");

interface ChartEvents {
  hovered(index: number | null): void;
  picked(first: number, last: number): void;
}

function chartOptions(
  { width, height }: Size,
  buckets: readonly string[],
  { layers }: Stacked,
  colours: ReadonlyMap<string | null, string>,
  events: ChartEvents,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const css = (value: string): string => {
    const name = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    return name === undefined ? value : style.getPropertyValue(name).trim();
  };
  const every = Math.max(1, Math.ceil(buckets.length / Math.max(2, Math.floor((width - 60) / 62))));
  // Days are counted from today, hours from midnight.
  const hours = buckets[0]?.includes("T") === true;
  // A label is as wide as its text, a bar may be much narrower: the last one that fits has the last label.
  const bar = (width - 78) / buckets.length;
  const newest = buckets.length - 1 - Math.ceil(Math.max(0, 14 - bar / 2) / bar);
  const isLabelled = (index: number): boolean =>
    hours ? index % every === 0 : index <= newest && (newest - index) % every === 0;
  const axis = {
    font: '11px "Inter Variable", sans-serif',
    stroke: css("var(--faint)"),
    ticks: { show: false },
  };
  return {
    width,
    height,
    padding: [8, 14, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: false, range: [-0.5, buckets.length - 0.5] },
      y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        gap: 6,
        grid: { show: false },
        splits: () => buckets.flatMap((_, index) => (isLabelled(index) ? index : [])),
        values: (_chart, splits) => splits.map((index) => bucketLabel(buckets[index] ?? "")),
      },
      {
        ...axis,
        size: 56,
        gap: 8,
        space: 44,
        grid: { stroke: css("var(--line)"), width: 1 },
        values: (_chart, splits) => splits.map(axisDollars),
      },
    ],
    // The tallest is drawn first, the others over it.
    series: [
      {},
      ...layers.toReversed().map(({ name }) => ({
        fill: css(colours.get(name) ?? ""),
        stroke: css("var(--panel)"),
        width: 1,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.74, 56] }) ?? (() => null),
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => events.hovered(cursor.idx ?? null)],
      setSelect: [
        (chart) => {
          const { left, width: dragged } = chart.select;
          if (dragged < 4) return;
          events.picked(chart.posToIdx(left), chart.posToIdx(left + dragged));
        },
      ],
      ready: [
        (chart) => {
          chart.over.addEventListener("click", () => {
            const { idx } = chart.cursor;
            if (idx !== null && idx !== undefined && chart.select.width < 4) events.picked(idx, idx);
          });
        },
      ],
    },
  };
}

const axisDollars = (value: number): string =>
  value >= 0.01 && value < 1
    ? `$${value.toFixed(2)}`
    : value === 0
      ? "$0"
      : value >= 10
        ? `$${grouped(value)}`
        : `$${Number(value.toPrecision(2))}`;

interface TooltipProps extends Pick<Props, "stacked" | "buckets" | "colours" | "nameOf"> {
  hover: { index: number; left: number; width: number };
  size: Size;
}

function Tooltip({ hover, size, stacked, buckets, colours, nameOf }: TooltipProps) {
  const { index, left, width } = hover;
  const spent = stacked.layers
    .map(({ name, values }) => ({ name, value: values[index] ?? 0 }))
    .filter(({ value }) => value > 0);
  const unpriced = unpricedLabel(stacked.unpriced[index] ?? 0);
  const plot = 56 + 8;
  const onRight = left < (size.width - plot) / 2;
  const place = onRight
    ? { left: plot + left + width / 2 + 6 }
    : { right: size.width + 16 - (plot + left - width / 2 - 6) };
  return (
    <>
      <div
        aria-hidden
        className="pointer-events-none absolute top-4 bottom-7 rounded-sm bg-ink/5"
        style={{ left: plot + left - width / 2, width }}
      />
      <div
        role="presentation"
        className="pointer-events-none absolute top-3 z-10 min-w-44 rounded-md bg-raised px-3 py-2 text-xs shadow-float"
        style={place}
      >
        <p className="mb-1 flex justify-between gap-6 text-muted">
          {bucketTitle(buckets[index] ?? "")}
          <span className="font-mono text-ink">{formatDollars(stacked.totals[index] ?? 0)}</span>
        </p>
        {spent.map(({ name, value }) => (
          <p key={name ?? ""} className="flex items-center gap-2">
            <span className="size-2 rounded-[2px]" style={{ background: colours.get(name) }} />
            <span className="min-w-0 flex-1 truncate">{nameOf(name)}</span>
            <span className="pl-4 font-mono tabular-nums">{formatDollars(value)}</span>
          </p>
        ))}
        {unpriced !== null && <p className="mt-1 text-faint">+ {unpriced}</p>}
      </div>
    </>
  );
}

function useSize(element: React.RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = (): void => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

const themeName = (): string => document.documentElement.dataset["theme"] ?? "";

/** A drawing does not follow the style sheet by itself. */
function useThemeName(): string {
  const [name, setName] = useState(themeName);
  useEffect(() => {
    const observer = new MutationObserver(() => setName(themeName()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return name;
}
