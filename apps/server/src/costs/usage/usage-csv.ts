// Writes rows of the ledger as CSV.
import type { LedgerGroup, LedgerRow, LedgerSums } from "../../store/ledger-types.ts";

/** `unpriced` is always present: a reader must see that a sum misses calls. */
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

/** No call of this row has a known price. A cost of 0 would look free. */
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

/** Quotes a cell where needed. A spreadsheet would run a leading = + - @ as a formula. */
function quote(cell: string): string {
  const safe = /^[=+\-@]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
