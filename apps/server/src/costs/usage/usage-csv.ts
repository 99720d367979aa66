// Rows of the ledger as CSV, for spreadsheets.
import type { LedgerGroup, LedgerRow, LedgerSums } from "../../store/ledger-types.ts";

/** `unpriced` always stands beside the cost: a sum that misses calls must say so. */
export const columns = (usage: LedgerSums) => ({ ...usage, unpriced: usage.unpriced ?? 0 });

const figures = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cost_usd",
  "unpriced",
  "thinking",
  "calls",
] as const;

/** No call of it has a known price: a sum of nothing would be read as free. */
const isUnknown = ({ cost_usd, unpriced, calls }: ReturnType<typeof columns>): boolean =>
  cost_usd === 0 && calls > 0 && unpriced >= calls;

export function toCsv(groupBy: readonly LedgerGroup[], rows: readonly LedgerRow[]): string {
  const lines = rows.map((row) => {
    const usage = columns(row.usage);
    return [
      ...groupBy.map((group) => quote(row.keys[group] ?? "")),
      ...figures.map((name) => (name === "cost_usd" && isUnknown(usage) ? "" : String(usage[name]))),
    ];
  });
  return [[...groupBy, ...figures], ...lines].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** Quoted where needed; a leading = + - @ would be run as a formula by a spreadsheet. */
function quote(cell: string): string {
  const safe = /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
