// Spend over time as stacked bars. Drawn by uPlot on positions, not times: an hour or a day is one bar, however
// long the zone's clocks made it.
import type { BudgetStatus } from "@patchbay/protocol";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { fixed, grouped } from "../../format/number.ts";
import "uplot/dist/uPlot.min.css";
import { formatDollars, shownCurrency } from "../../format/money.ts";
import { unpricedLabel } from "../data/labels.ts";
import type { RunningTotal } from "../data/limit.ts";
import { edges, type Stacked } from "../data/series.ts";
import { bucketLabel, bucketTitle } from "../data/span.ts";
import { costCardTexts } from "./texts.ts";

/** The limit of a budget. */
export interface LimitLine {
  /** The budget's name with its limit. */
  label: string;
  limit_usd: number;
  state: BudgetStatus["state"];
}

/** A limit with the running total of the budget's period, on a scale of its own. */
export interface TotalLine extends LimitLine, RunningTotal {}

/** Amber and red mean the same as in the bar of a budget. */
export const limitColours = { ok: "--muted", warned: "--accent", over: "--failed" } as const;

/** Bars beside a limit of many times their height would be too low to read. */
const mostTimes = 4;

export const isAbove = ({ limit_usd }: LimitLine, totals: readonly number[]): boolean =>
  limit_usd > mostTimes * Math.max(...totals);

interface Props {
  stacked: Stacked;
  buckets: readonly string[];
  colours: ReadonlyMap<string | null, string>;
  nameOf(name: string | null): string;
  limit: LimitLine | null;
  total: TotalLine | null;
  /** One bar was clicked, or several dragged over. */
  onPick(first: string, last: string): void;
  /** Given the drawing, for a picture of it. */
  onDrawn(canvas: HTMLCanvasElement | null): void;
}

export function SpendChart({ stacked, buckets, colours, nameOf, limit, total, onPick, onDrawn }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<{ index: number; left: number; width: number } | null>(null);
  const theme = useThemeName();
  const size = useSize(holder);
  const shape = JSON.stringify([edges(stacked.layers), buckets, [...colours], theme, size, limit, total]);
  const bars = limit === null || isAbove(limit, stacked.totals) ? null : limit;
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  }, [onPick]);

  useLayoutEffect(() => {
    const element = holder.current;
    if (element === null || size === null) return;
    const chart = new uPlot(
      chartOptions(
        { size, buckets, stacked, colours, bars, total },
        {
          hovered: (index) =>
            setHover(
              index === null ? null : { index, left: chart.valToPos(index, "x"), width: barWidth(chart) },
            ),
          picked: (first, last) => {
            const [from, to] = [buckets[first], buckets[last]];
            if (from !== undefined && to !== undefined) pick.current(from, to);
          },
        },
      ),
      [
        buckets.map((_, index) => index),
        ...edges(stacked.layers).toReversed(),
        ...(total === null ? [] : [total.totals, total.forecast]),
      ],
      element,
    );
    onDrawn(chart.ctx.canvas);
    return () => {
      onDrawn(null);
      chart.destroy();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shape` is all of them, by value
  }, [shape]);

  const all = stacked.totals.reduce((sum, value) => sum + value, 0);
  return (
    <div className="relative px-2 pt-2">
      <div
        ref={holder}
        role="img"
        aria-label={[
          costCardTexts.chartLabel(formatDollars(all)),
          ...[limit, total].flatMap((line) => line?.label ?? []),
        ].join(" ")}
        className="h-[264px] w-full phone:h-[208px]"
      />
      {hover !== null && size !== null && (
        <Tooltip {...{ hover, size, stacked, buckets, colours, nameOf, total }} />
      )}
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

interface Drawn extends Pick<Props, "stacked" | "buckets" | "colours" | "total"> {
  size: Size;
  /** The limit of the bars, where the chart reaches up to it. */
  bars: LimitLine | null;
}

/** Room at the right for the scale of the total. */
const totalAxis = 56;

function chartOptions(
  { size: { width, height }, buckets, stacked: { layers }, colours, bars, total }: Drawn,
  events: ChartEvents,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const css = (value: string): string => {
    const name = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
    return name === undefined ? value : style.getPropertyValue(name).trim();
  };
  const right = total === null ? 14 : totalAxis;
  const every = Math.max(1, Math.ceil(buckets.length / Math.max(2, Math.floor((width - 46 - right) / 62))));
  // Days are counted from today, hours from midnight.
  const hours = buckets[0]?.includes("T") === true;
  // A label is as wide as its text, a bar may be much narrower: the last one that fits has the last label.
  const bar = (width - 64 - right) / buckets.length;
  const newest = buckets.length - 1 - Math.ceil(Math.max(0, 14 - bar / 2) / bar);
  const isLabelled = (index: number): boolean =>
    hours ? index % every === 0 : index <= newest && (newest - index) % every === 0;
  const axis = {
    font: '11px "Inter Variable", sans-serif',
    stroke: css("var(--faint)"),
    ticks: { show: false },
  };
  const totalScale: uPlot.Axis = {
    ...axis,
    scale: "total",
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- the enum exists only in uPlot's types
    side: 1,
    size: totalAxis,
    gap: 8,
    space: 44,
    grid: { show: false },
    values: (_chart, splits) => splits.map(axisDollars),
  };
  return {
    width,
    height,
    padding: [8, total === null ? 14 : 0, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
    scales: {
      x: { time: false, range: [-0.5, buckets.length - 0.5] },
      y: { range: (_chart, _min, max) => [0, Math.max(max, bars?.limit_usd ?? 0) * 1.08 || 1] },
      ...(total === null
        ? {}
        : { total: { range: (_chart, _min, max) => [0, Math.max(max, total.limit_usd) * 1.08] } }),
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
      ...(total === null ? [] : [totalScale]),
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
      ...(total === null
        ? []
        : [[], [4, 4]].map((dash) => ({
            scale: "total",
            stroke: css("var(--ink)"),
            width: 1.5,
            dash,
            points: { show: false },
          }))),
    ],
    hooks: {
      draw: [
        (chart) => {
          for (const [line, scale] of [
            [bars, "y"],
            [total, "total"],
          ] as const)
            if (line !== null)
              drawLimit(chart, line, scale, {
                colour: css(`var(${limitColours[line.state]})`),
                background: css("var(--panel)"),
              });
        },
      ],
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

/** A dashed line across the chart, with the amount above it. */
function drawLimit(
  { ctx, bbox, valToPos }: uPlot,
  { limit_usd }: LimitLine,
  scale: string,
  { colour, background }: { colour: string; background: string },
): void {
  const y = Math.round(valToPos(limit_usd, scale, true));
  const pixel = window.devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * pixel;
  ctx.setLineDash([6 * pixel, 4 * pixel]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = `500 ${11 * pixel}px "Inter Variable", sans-serif`;
  // The limit of the total is labelled at its own scale, so that two labels do not meet.
  ctx.textAlign = scale === "y" ? "left" : "right";
  ctx.textBaseline = y - bbox.top < 18 * pixel ? "top" : "bottom";
  const x = scale === "y" ? bbox.left + 6 * pixel : bbox.left + bbox.width - 6 * pixel;
  const below = ctx.textBaseline === "top";
  const label = costCardTexts.limit(formatDollars(limit_usd));
  const { width } = ctx.measureText(label);
  ctx.fillStyle = background; // a bar may be behind the text
  ctx.fillRect(
    (scale === "y" ? x : x - width) - 3 * pixel,
    below ? y + 2 * pixel : y - 18 * pixel,
    width + 6 * pixel,
    16 * pixel,
  );
  ctx.fillStyle = colour;
  ctx.fillText(label, x, y + (below ? 4 : -4) * pixel);
  ctx.restore();
}

function axisDollars(dollars: number): string {
  const { prefix, rate } = shownCurrency;
  const value = dollars * rate;
  if (value >= 0.01 && value < 1) return prefix + fixed(value, 2);
  if (value === 0) return `${prefix}0`;
  return (
    prefix + (value >= 10 ? grouped(value) : String(Number(value.toPrecision(2))).replace(".", decimalPoint))
  );
}

const decimalPoint = fixed(0.1, 1).charAt(1);

interface TooltipProps extends Pick<Props, "stacked" | "buckets" | "colours" | "nameOf" | "total"> {
  hover: { index: number; left: number; width: number };
  size: Size;
}

function Tooltip({ hover, size, stacked, buckets, colours, nameOf, total }: TooltipProps) {
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
        {total !== null && <TotalHere total={total} index={index} />}
      </div>
    </>
  );
}

/** What the budget's period had spent by this bar, or will have. */
function TotalHere({ total, index }: { total: TotalLine; index: number }) {
  const spent = total.totals[index] ?? null;
  const expected = total.forecast[index] ?? null;
  const value = spent ?? expected;
  if (value === null) return null;
  return (
    <p className="mt-1 flex justify-between gap-4 border-t border-line pt-1 text-muted">
      {spent === null ? costCardTexts.forecast : costCardTexts.runningTotal}
      <span className="font-mono text-ink tabular-nums">
        {costCardTexts.totalOfLimit(formatDollars(value), formatDollars(total.limit_usd))}
      </span>
    </p>
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
