// The bars of a histogram without gaps: the server leaves out those without turns.
import type { Distribution } from "./api.ts";

type Bar = Distribution["buckets"][number];

export function filled(buckets: readonly Bar[]): Bar[] {
  const bars: Bar[] = [];
  for (const bucket of buckets) {
    const last = bars.at(-1);
    if (last !== undefined) bars.push(...between(last.to_usd ?? bucket.from_usd, bucket.from_usd));
    bars.push(bucket);
  }
  return bars;
}

function between(from: number, to: number): Bar[] {
  const empty: Bar[] = [];
  for (let low = from; low < to * 0.999; ) {
    const high = nextEdge(low);
    empty.push({ from_usd: low, to_usd: high, turns: 0, cost_usd: 0 });
    low = high;
  }
  return empty;
}

/** 1, 2, 5, 10, 20, 50 … of any unit. */
function nextEdge(dollars: number): number {
  const unit = 10 ** Math.floor(Math.log10(dollars) + 1e-9);
  const step = Math.round(dollars / unit);
  const next = step < 2 ? 2 : step < 5 ? 5 : 10;
  return Number((next * unit).toPrecision(3));
}
