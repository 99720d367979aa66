// What every format of a provider's export is read into, and how its cells become figures. What is no export, or a damaged one, is
// refused with a sentence that names the place: a comparison with half of a file would show differences that are none.

/** A line of an export: of one UTC day, one model, and a part of the tokens or of the money. */
export interface ExportLine {
  /** `2026-11-18`, in UTC. */
  day: string;
  /** Empty: the line names none. */
  model: string;
  /** Null: the export does not tell. */
  tokens: ExportTokens | null;
  cost_nanos: number | null;
}

interface ExportTokens {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
}

/** The sum of two lines of one day and model. What only one of them tells is kept. */
export const addedLines = (a: ExportLine, b: ExportLine): ExportLine => ({
  ...a,
  tokens:
    a.tokens === null || b.tokens === null
      ? (a.tokens ?? b.tokens)
      : {
          input: a.tokens.input + b.tokens.input,
          output: a.tokens.output + b.tokens.output,
          cache_read: a.tokens.cache_read + b.tokens.cache_read,
          cache_write: a.tokens.cache_write + b.tokens.cache_write,
        },
  cost_nanos:
    a.cost_nanos === null && b.cost_nanos === null ? null : (a.cost_nanos ?? 0) + (b.cost_nanos ?? 0),
});

export class UnreadableExport extends Error {}

/** The largest count that a sum of exports can be read back from. */
const maxTokens = 1e15;
const maxDollars = 1e9;

/** A count as exports write it: `1200`, `1200.0`, `"1,200"`; empty is 0. */
export function tokenCount(cell: unknown, where: string): number {
  const text = textOf(cell).replaceAll(/,(?=\d{3}(\D|$))/g, "");
  if (text === "") return 0;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0 || count > maxTokens)
    throw new UnreadableExport(`${where}: "${excerptOf(cell)}" is not a number of tokens.`);
  return count;
}

/** An amount in a unit that `perDollar` of make a dollar. Credits are negative. */
export function nanosOf(cell: unknown, perDollar: number, where: string): number {
  const text = textOf(cell);
  const amount = Number(text);
  if (text === "" || !Number.isFinite(amount) || Math.abs(amount / perDollar) > maxDollars)
    throw new UnreadableExport(`${where}: "${excerptOf(cell)}" is not an amount of money.`);
  return Math.round((amount / perDollar) * 1e9);
}

/** The UTC day of a date, a time with its offset, or seconds since 1970. */
export function dayOf(cell: unknown, where: string): string {
  const text = textOf(cell);
  if (/^\d{9,11}(\.0+)?$/.test(text)) return new Date(Number(text) * 1_000).toISOString().slice(0, 10);
  const given = text.replace(" ", "T").replace(/(T\d\d:\d\d(:\d\d(\.\d+)?)?)$/, "$1Z"); // without an offset, it is UTC
  const time = /^20\d\d-\d\d-\d\d(T.+)?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time)) throw new UnreadableExport(`${where}: "${excerptOf(cell)}" is not a date.`);
  return new Date(time).toISOString().slice(0, 10);
}

/** Both providers bill in dollars. An amount in another currency cannot be compared. */
export function requireDollars(currency: unknown, where: string): void {
  if (textOf(currency).toLowerCase() !== "usd")
    throw new UnreadableExport(`${where}: the amount is in "${excerptOf(currency)}", expected US dollars.`);
}

const textOf = (cell: unknown): string =>
  typeof cell === "string" ? cell.trim() : typeof cell === "number" ? String(cell) : "";

/** Files come from outside: a message does not repeat a page of one. */
const excerptOf = (cell: unknown): string => (textOf(cell) || JSON.stringify(cell) || "").slice(0, 40);
