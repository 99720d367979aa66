// Names ranked by what they cost. A bar is a filter: a click narrows the whole page to it, another one widens
// it again.
import { ArrowUpRight, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { dollars, estimatedLabel, unpricedLabel } from "../data/labels.ts";
import { Card, Filled, Nothing } from "./card.tsx";
import { costCardTexts } from "./texts.ts";

export interface RankedName {
  key: string;
  name: string;
  title: string;
  cost_usd: number;
  unpriced: number;
  estimated: number;
  calls: number;
  /** Leads to the page narrowed to it, or widened again. */
  href: string;
  chosen: boolean;
  colour?: string | undefined;
  /** Where the thing itself is. */
  open?: string | undefined;
}

interface Props<T> {
  title: string;
  heading?: ReactNode;
  asked: Fetched<T>;
  namesOf(data: T): readonly RankedName[];
}

const shown = 7;

export function RankedList<T>({ title, heading, asked, namesOf }: Props<T>) {
  return (
    <Card title={title} heading={heading}>
      <Filled asked={asked} rows={shown}>
        {(data) => <Names names={namesOf(data)} />}
      </Filled>
    </Card>
  );
}

function Names({ names }: { names: readonly RankedName[] }) {
  if (names.length === 0) {
    return (
      <div className="flex min-h-[236px]">
        <Nothing>{costCardTexts.noCalls}</Nothing>
      </div>
    );
  }
  const most = Math.max(...names.map(({ cost_usd }) => cost_usd), 1e-9);
  const narrowed = names.some(({ chosen }) => chosen);
  // What was chosen stays in sight, however little it cost.
  const first = names.slice(0, shown);
  const list = first.some(({ chosen }) => chosen)
    ? first
    : [...first, ...names.filter((name) => name.chosen)];
  const hidden = names.length - list.length;
  return (
    <ul className="min-h-[236px] px-2 pb-1.5">
      {list.map((each) => (
        <Row key={each.key} name={each} share={each.cost_usd / most} dimmed={narrowed && !each.chosen} />
      ))}
      {hidden > 0 && <li className="px-2 pt-0.5 text-xs text-faint">{costCardTexts.moreInTable(hidden)}</li>}
    </ul>
  );
}

function Row({ name, share, dimmed }: { name: RankedName; share: number; dimmed: boolean }) {
  const unpriced = unpricedLabel(name.unpriced);
  const facts = [costCardTexts.callCount(name.calls), estimatedLabel(name.estimated), unpriced];
  return (
    <li className="group relative flex h-8 items-center phone:h-11">
      <Link
        href={name.href}
        aria-current={name.chosen ? "true" : undefined}
        title={`${name.title} · ${facts.filter((fact) => fact !== null).join(", ")}`}
        className={`relative flex h-7 min-w-0 flex-1 items-center gap-2 overflow-hidden rounded-sm pr-2 text-sm hover:bg-hover phone:h-10 ${dimmed ? "text-faint" : "text-ink"}`}
      >
        <span className="relative flex h-full min-w-0 flex-1 items-center px-2">
          <span
            aria-hidden
            className={`absolute inset-y-0 left-0 rounded-sm ${dimmed ? "opacity-10" : "opacity-25"}`}
            style={{
              width: `${Math.max(0.5, share * 100)}%`,
              background: name.colour ?? "var(--chart-plain)",
            }}
          />
          <span className="relative min-w-0 truncate">{name.name}</span>
        </span>
        {unpriced !== null && name.cost_usd === 0 && (
          <span className="shrink-0 text-xs text-faint">{unpriced}</span>
        )}
        {/* As wide as any of them: bars beside figures compare only if they end at the same place. */}
        <span className="min-w-15 shrink-0 text-right font-mono text-xs tabular-nums">{dollars(name)}</span>
        {name.chosen && (
          <X size={13} aria-label={costCardTexts.removeThisFilter} className="relative shrink-0 text-muted" />
        )}
      </Link>
      {name.open !== undefined && (
        <Link
          href={name.open}
          aria-label={costCardTexts.openNamed(name.name)}
          title={costCardTexts.openSession}
          className="flex size-7 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink phone:size-10"
        >
          <ArrowUpRight size={14} aria-hidden />
        </Link>
      )}
    </li>
  );
}
