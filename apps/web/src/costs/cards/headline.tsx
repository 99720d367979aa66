// Four big numbers: today, this month, the pace now, and where the month is going. Each leads to its
// details, and is compared with the time before.
import { ArrowDownRight, ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { formatDollars } from "../../format/money.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { isRunning, type Now, type Summary, type UsageSums } from "../data/api.ts";
import {
  bigDollars,
  type Change,
  change,
  estimatedLabel,
  type SpentAmount,
  unpricedLabel,
} from "../data/labels.ts";
import { dateOf } from "../data/span.ts";
import { costDataTexts } from "../data/texts.ts";
import { type View, writeView } from "../data/view.ts";
import { Failed } from "./card.tsx";
import { rowLink } from "./row-link.ts";
import { costCardTexts } from "./texts.ts";

interface Props {
  summary: Fetched<Summary>;
  now: Fetched<Now>;
  view: View;
  /** The day of today is its day. */
  at: Date;
}

export function Headline({ summary, now, view, at }: Props) {
  const { data } = summary;
  const month = dateOf(new Date(at.getFullYear(), at.getMonth(), 1));
  const to = (range: View["range"]): string => `/costs${writeView({ ...view, range })}`;
  if (summary.error !== null && data === null) {
    return (
      <div className="mb-4 rounded-md border border-line bg-panel">
        <Failed message={summary.error} again={summary.refetch} />
      </div>
    );
  }
  return (
    <dl
      aria-busy={summary.outdated}
      className="mb-4 grid grid-cols-4 overflow-hidden rounded-md border border-line bg-line gap-px phone:grid-cols-2"
    >
      <Figure
        label={costDataTexts.today}
        href={to({ kind: "today" })}
        value={data && bigDollars(data.today)}
        note={data && <Caveats spent={data.today} />}
      >
        {data && (
          <Delta
            now={data.today}
            before={data.today.previous}
            than={costCardTexts.thanYesterday}
            none={costCardTexts.byThisTimeYesterday}
          />
        )}
      </Figure>
      <Figure
        label={costDataTexts.thisMonth}
        href={to({ kind: "custom", from: month, to: dateOf(at) })}
        value={data && bigDollars(data.month)}
        note={data && <Caveats spent={data.month} />}
      >
        {data && (
          <Delta
            now={data.month}
            before={data.month.previous}
            than={costCardTexts.thanLastMonthByNow}
            none={costCardTexts.byThisTimeLastMonth}
          />
        )}
      </Figure>
      <Pace now={now} narrowed={Object.keys(view.where).length > 0} />
      <Figure
        label={costDataTexts.monthForecast}
        href={to({ kind: "custom", from: daysAgo(at, 7), to: daysAgo(at, 1) })}
        value={data && bigDollars(data.forecast)}
        note={data && paceLabel(data.forecast)}
      >
        {data && (
          <Delta
            now={data.forecast}
            before={data.forecast.previous}
            than={costCardTexts.thanLastMonth}
            none={costCardTexts.inLastMonth}
          />
        )}
      </Figure>
    </dl>
  );
}

/** What the forecast goes on with. */
const paceLabel = ({ daily_usd, daily_unpriced }: Summary["forecast"]): string =>
  daily_usd === 0 && daily_unpriced > 0
    ? costCardTexts.last7DaysUnpriced
    : daily_unpriced > 0
      ? costCardTexts.atDailyAndUnpriced(formatDollars(daily_usd))
      : costCardTexts.atDaily(formatDollars(daily_usd));

const daysAgo = (at: Date, days: number): string =>
  dateOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() - days));

/** Filters do not apply to it. */
function Pace({ now: { data }, narrowed }: { now: Fetched<Now>; narrowed: boolean }) {
  const working = data?.sessions.filter(isRunning).length ?? 0;
  const running = working > 0 ? costCardTexts.agentsRunning(working) : costCardTexts.noAgentsRunning;
  return (
    <Figure
      label={costDataTexts.burnRate}
      href="#running"
      value={
        data && (
          <>
            {bigDollars({ cost_usd: data.cost_usd_per_hour, unpriced: data.unpriced })}
            <span className="ml-1 text-sm font-normal tracking-normal text-muted">
              {costCardTexts.perHour}
            </span>
          </>
        )
      }
      note={data && (narrowed ? costCardTexts.inAllSessions(running) : running)}
      live={working > 0}
    >
      {data &&
        data.cost_usd_per_hour === 0 &&
        costCardTexts.inLast10Minutes(unpricedLabel(data.unpriced) ?? "$0")}
      {data && data.cost_usd_per_hour > 0 && (
        <Delta
          now={{ cost_usd: data.cost_usd_per_hour, unpriced: data.unpriced }}
          before={{ cost_usd: data.average_usd_per_hour, unpriced: 0 }}
          than={costCardTexts.than24HourAverage}
          none={costCardTexts.averageOf24Hours}
        />
      )}
    </Figure>
  );
}

interface FigureProps {
  label: string;
  href: string;
  value: ReactNode;
  note: ReactNode;
  live?: boolean;
  children: ReactNode;
}

function Figure({ label, href, value, note, live = false, children }: FigureProps) {
  const inner = (
    <>
      <span className="flex items-center gap-1.5 text-xs text-muted">
        {live && <span aria-hidden className="size-1.5 animate-pulse-dot rounded-full bg-working" />}
        {label}
      </span>
      <span className="mt-1 block h-9 truncate font-mono text-[1.625rem]/9 font-semibold tracking-[-0.04em] tabular-nums phone:text-[1.375rem]/9">
        {value ?? <Skeleton className="mt-1.5 inline-block h-6 w-28" />}
      </span>
    </>
  );
  const look = `block rounded-sm ${rowLink}`;
  return (
    <div className="relative min-w-0 bg-panel px-4 py-3 hover:bg-hover phone:px-3">
      <dt className="sr-only">{label}</dt>
      <dd>
        {href.startsWith("#") ? (
          <a href={href} className={look}>
            {inner}
          </a>
        ) : (
          <Link href={href} className={look}>
            {inner}
          </Link>
        )}
        <span className="mt-0.5 block min-h-[1.125rem] text-xs text-muted">{children}</span>
        <span className="block min-h-[1.125rem] text-xs text-faint">{note}</span>
      </dd>
    </div>
  );
}

/** Which calls of a sum are estimated, and which are missing in it. */
export function Caveats({ spent }: { spent: UsageSums }) {
  const estimated = estimatedLabel(spent.estimated);
  const unpriced = unpricedLabel(spent.unpriced);
  return (
    <>
      {estimated !== null && (
        <span
          title={costCardTexts.estimatedHint(formatDollars(spent.low_usd), formatDollars(spent.high_usd))}
        >
          {estimated}
        </span>
      )}
      {estimated !== null && unpriced !== null && " · "}
      {unpriced !== null && <span title={costCardTexts.unpricedHint}>+ {unpriced}</span>}
    </>
  );
}

interface DeltaProps {
  now: SpentAmount;
  before: SpentAmount;
  /** What it is compared with; null: the heading says so. */
  than: string | null;
  /** Where there is nothing to compare with: what there was instead, and when. */
  none(what: string): string;
}

/** More is not worse and less is not better: an arrow, no colour. */
export function Delta({ now, before, than, none }: DeltaProps) {
  const delta = change(now.cost_usd, before.cost_usd);
  if (delta === null) return none(before.unpriced > 0 ? costCardTexts.unpriced : "$0");
  const exact = none(formatDollars(before.cost_usd));
  if (now.cost_usd === 0 && now.unpriced > 0) return exact; // the difference is not known
  if (delta.kind === "same")
    return <span title={exact}>{than === null ? costCardTexts.same : costCardTexts.sameAs(than)}</span>;
  const up = delta.kind === "times" || delta.up;
  const Arrow = up ? ArrowUpRight : ArrowDownRight;
  return (
    <span title={exact}>
      <Arrow size={13} aria-hidden className="-mt-px mr-0.5 inline text-faint" />
      {changeLabel(delta, than ?? "")}
    </span>
  );
}

function changeLabel(change: Exclude<Change, { kind: "same" }>, than: string): string {
  if (change.kind === "times") return costCardTexts.timesOf(change.times, than);
  return change.up
    ? costCardTexts.percentAbove(change.percent, than)
    : costCardTexts.percentBelow(change.percent, than);
}
