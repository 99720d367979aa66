// Rows of the ledger as the layers of a stacked chart: every hour, day, month or year of the range has a value, the names
// that cost most have a layer of their own, the rest share one.
import type { UsageRow } from "./api.ts";

export interface Layer {
  /** Null: all the names that have no layer of their own. */
  name: string | null;
  values: number[];
  total: number;
}

export interface Stacked {
  /** The one that cost most first. */
  layers: Layer[];
  totals: number[];
  unpriced: number[];
}

/** As many as there are colours that can be told apart. */
const mostLayers = 7;

export function stack(rows: readonly UsageRow[], buckets: readonly string[], by: string): Stacked {
  const places = new Map(buckets.map((bucket, index) => [bucket, index]));
  const zeros = (): number[] => buckets.map(() => 0);
  const byName = new Map<string, Layer>();
  const stacked: Stacked = { layers: [], totals: zeros(), unpriced: zeros() };
  for (const row of rows) {
    const time = row.hour ?? row.day ?? "";
    const at = places.get(time) ?? places.get(time.slice(0, 7)) ?? places.get(time.slice(0, 4));
    if (at === undefined) continue;
    const name = nameIn(row, by);
    const layer = byName.get(name) ?? { name, values: zeros(), total: 0 };
    byName.set(name, layer);
    add(layer.values, at, row.cost_usd);
    layer.total += row.cost_usd;
    add(stacked.totals, at, row.cost_usd);
    add(stacked.unpriced, at, row.unpriced);
  }
  const ranked = [...byName.values()].filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
  const own = ranked.length <= mostLayers ? ranked : ranked.slice(0, mostLayers - 1);
  const rest = ranked.slice(own.length);
  stacked.layers = rest.length === 0 ? own : [...own, together(rest, zeros())];
  return stacked;
}

function together(layers: readonly Layer[], values: number[]): Layer {
  for (const layer of layers) layer.values.forEach((value, at) => add(values, at, value));
  return { name: null, values, total: layers.reduce((sum, { total }) => sum + total, 0) };
}

function add(values: number[], at: number, value: number): void {
  values[at] = (values[at] ?? 0) + value;
}

/** The upper edge of each layer, the lowest (the one that cost most) first; null where it has no height. */
export function edges(layers: readonly Layer[]): (number | null)[][] {
  const sums = layers[0]?.values.map(() => 0) ?? [];
  return layers.map(({ values }) =>
    values.map((value, at) => {
      add(sums, at, value);
      return value === 0 ? null : (sums[at] ?? 0);
    }),
  );
}

export interface NameSums extends UsageRow {
  name: string;
}

/** The rows of each name added up, the one that cost most first. */
export function byName(rows: readonly UsageRow[], by: string): NameSums[] {
  const sums = new Map<string, NameSums>();
  for (const row of rows) {
    const name = nameIn(row, by);
    const known = sums.get(name);
    sums.set(name, known === undefined ? { ...row, name } : { ...addRows(known, row), name });
  }
  return [...sums.values()].sort((a, b) => b.cost_usd - a.cost_usd || b.calls - a.calls);
}

const addRows = (a: UsageRow, b: UsageRow): UsageRow => ({
  calls: a.calls + b.calls,
  input: a.input + b.input,
  output: a.output + b.output,
  cache_read: a.cache_read + b.cache_read,
  cache_write: a.cache_write + b.cache_write,
  thinking: a.thinking + b.thinking,
  cost_usd: a.cost_usd + b.cost_usd,
  unpriced: a.unpriced + b.unpriced,
  estimated: a.estimated + b.estimated,
  low_usd: a.low_usd + b.low_usd,
  high_usd: a.high_usd + b.high_usd,
});

function nameIn(row: UsageRow, by: string): string {
  const value = Object.entries(row).find(([key]) => key === by)?.[1];
  return typeof value === "string" ? value : "";
}
