// How much of the input came from the providers' caches, and what that saved.
import { formatTokens } from "../format/tokens.ts";
import type { Usage } from "./api.ts";
import { Card, Filled, Nothing } from "./card.tsx";
import type { Asked } from "./use-asked.ts";

export function CacheCard({ usage }: { usage: Asked<Usage> }) {
  return (
    <Card title="Cache">
      <Filled asked={usage} rows={6}>
        {({ total }) => <Cache total={total} />}
      </Filled>
    </Card>
  );
}

function Cache({ total }: { total: Usage["total"] }) {
  const input = total.input + total.cache_read + total.cache_write;
  if (input === 0) {
    return (
      <div className="flex min-h-[204px]">
        <Nothing>No model was called in this time.</Nothing>
      </div>
    );
  }
  const parts = [
    { label: "read from the cache", tokens: total.cache_read, look: "bg-[var(--chart-3)]" },
    { label: "written to the cache", tokens: total.cache_write, look: "bg-[var(--chart-7)]" },
    { label: "sent afresh", tokens: total.input, look: "bg-[var(--chart-plain)]" },
  ];
  return (
    <div className="min-h-[204px] px-4 pb-3">
      <p className="flex items-baseline gap-2 text-xs text-muted">
        <span className="font-mono text-[1.625rem]/9 font-semibold tracking-[-0.04em] text-ink">
          {Math.round((total.cache_read / input) * 100)} %
        </span>
        of the input came from the cache
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
    </div>
  );
}
