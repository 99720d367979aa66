// How costs per turn are spread, as a histogram on a 1-2-5 scale: costs span several powers of ten.
import { formatDollars } from "../../format/money.ts";
import { Distribution } from "../data/api.ts";
import { filled } from "../data/histogram.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { Card, Filled, Nothing } from "./card.tsx";
import { costCardTexts } from "./texts.ts";

export function TurnCostsCard({ path, everyMs }: { path: string; everyMs: number | null }) {
  const asked = useFetchedPath(path, Distribution, everyMs);
  return (
    <Card title={costCardTexts.costPerTurn}>
      <Filled asked={asked} rows={6}>
        {(data) => <Histogram data={data} />}
      </Filled>
    </Card>
  );
}

function Histogram({ data }: { data: Distribution }) {
  const bars = filled(data.buckets);
  const most = Math.max(...bars.map(({ turns }) => turns), 1);
  if (bars.length === 0) {
    return (
      <div className="flex min-h-[204px]">
        <Nothing>
          {data.unpriced_turns > 0
            ? costCardTexts.onlyUnpricedTurns(data.unpriced_turns)
            : costCardTexts.noTurns}
        </Nothing>
      </div>
    );
  }
  return (
    <figure className="px-4 pb-3">
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        <span>
          {costCardTexts.median}{" "}
          <b className="font-mono font-medium text-ink">{formatDollars(data.median_usd ?? 0)}</b>
        </span>
        <span>
          {costCardTexts.percentile95}{" "}
          <b className="font-mono font-medium text-ink">{formatDollars(data.p95_usd ?? 0)}</b>
        </span>
        {data.unpriced_turns > 0 && <span>{costCardTexts.turnsUnpriced(data.unpriced_turns)}</span>}
      </figcaption>
      <ul className="mt-3 flex h-[120px] items-end gap-[3px]">
        {bars.map(({ from_usd, to_usd, turns }) => (
          <li
            key={from_usd}
            title={costCardTexts.turnsBetween(
              formatDollars(from_usd),
              edge(to_usd),
              costCardTexts.turnCount(turns),
            )}
            className="flex h-full flex-1 items-end rounded-[2px] hover:bg-hover"
          >
            <span
              className="block w-full rounded-[2px] bg-[var(--chart-1)]"
              style={{ height: turns === 0 ? 0 : `${Math.max(2, (turns / most) * 100)}%` }}
            />
            <span className="sr-only">
              {costCardTexts.turnsFrom(formatDollars(from_usd), costCardTexts.turnCount(turns))}
            </span>
          </li>
        ))}
      </ul>
      <p aria-hidden className="mt-1.5 flex justify-between font-mono text-2xs text-faint">
        <span>{formatDollars(bars[0]?.from_usd ?? 0)}</span>
        <span>{costCardTexts.turnCount(data.turns)}</span>
        <span>{edge(bars.at(-1)?.to_usd ?? null)}</span>
      </p>
    </figure>
  );
}

const edge = (dollars: number | null): string =>
  dollars === null ? costCardTexts.more : formatDollars(dollars);
