// A part of the bench: measures one question and answers with tables and the bars they are held to.
export interface Setting {
  /** Fewer rounds and frames: to see that everything works, not for figures. */
  quick: boolean;
  say(sentence: string): void;
}

export interface Table {
  title: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** How to read it. */
  note?: string;
}

export interface Bar {
  what: string;
  measured: string;
  bar: string;
  met: boolean;
}

export interface Findings {
  tables: readonly Table[];
  bars: readonly Bar[];
}

export interface Part {
  name: string;
  measure(setting: Setting): Promise<Findings>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Three digits say what such a measurement knows. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}
