// How much of the input came from the providers' caches, and what that saved.
import { formatDollars } from "../../format/money.ts";
import { formatTokens } from "../../format/tokens.ts";
import { Cache } from "../data/api.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { Card, Filled, Nothing } from "./card.tsx";
import { costCardTexts } from "./texts.ts";

export function CacheCard({ path, everyMs }: { path: string; everyMs: number | null }) {
  const asked = useFetchedPath(path, Cache, everyMs);
  return (
    <Card title={costCardTexts.cache}>
      <Filled asked={asked} rows={6}>
        {(cache) => <Shares cache={cache} />}
      </Filled>
    </Card>
  );
}

function Shares({ cache }: { cache: Cache }) {
  if (cache.hit_ratio === null) {
    return (
      <div className="flex min-h-[204px]">
        <Nothing>{costCardTexts.noCalls}</Nothing>
      </div>
    );
  }
  const input = cache.input + cache.cache_read + cache.cache_write;
  const parts = [
    { label: costCardTexts.readFromCache, tokens: cache.cache_read, look: "bg-[var(--chart-3)]" },
    { label: costCardTexts.writtenToCache, tokens: cache.cache_write, look: "bg-[var(--chart-7)]" },
    { label: costCardTexts.notCached, tokens: cache.input, look: "bg-[var(--chart-plain)]" },
  ];
  return (
    <div className="min-h-[204px] px-4 pb-3">
      <p className="flex items-baseline gap-2 text-xs text-muted">
        <span className="font-mono text-[1.625rem]/9 font-semibold tracking-[-0.04em] text-ink">
          {Math.round(cache.hit_ratio * 100)} %
        </span>
        {costCardTexts.cacheShare}
      </p>
      <div aria-hidden className="mt-2 flex h-2 gap-px overflow-hidden rounded-full">
        {parts.map(({ label, tokens, look }) => (
          <span key={label} className={look} style={{ width: `${(tokens / input) * 100}%` }} />
        ))}
      </div>
      <dl className="mt-3 text-xs">
        {parts.map(({ label, tokens, look }) => (
          <div key={label} className="flex h-6 items-center gap-2">
            <dt className="flex flex-1 items-center gap-2 text-muted">
              <span aria-hidden className={`size-2 rounded-[2px] ${look}`} /> {label}
            </dt>
            <dd className="font-mono tabular-nums">{formatTokens(tokens)}</dd>
          </div>
        ))}
      </dl>
      <Saved cache={cache} />
    </div>
  );
}

/** A cache that is written and hardly read costs more than it saves. */
function Saved({ cache: { saved_usd, unknown_cache_read, cache_read } }: { cache: Cache }) {
  const known = unknown_cache_read < cache_read;
  if (!known && cache_read > 0) {
    return <p className="mt-2 text-xs text-faint">{costCardTexts.savingUnknown}</p>;
  }
  if (saved_usd === 0) return null;
  return (
    <p className="mt-2 border-t border-line pt-2 text-xs text-muted">
      {saved_usd > 0 ? costCardTexts.savedBefore : costCardTexts.lostBefore}
      <b data-saved className="font-mono text-sm font-semibold text-ink">
        {formatDollars(Math.abs(saved_usd))}
      </b>
      {saved_usd > 0 ? costCardTexts.savedAfter : costCardTexts.lostAfter}
      {unknown_cache_read > 0 && (
        <span className="text-faint">{costCardTexts.savingWithout(formatTokens(unknown_cache_read))}</span>
      )}
    </p>
  );
}
