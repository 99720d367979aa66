// Writes rows of the ledger as CSV.
import type { LedgerGroup, LedgerRow, LedgerSums } from "../../store/ledger-types.ts";
import { csvLine, quoteCell } from "./csv.ts";

/** Always present: a reader must see that a sum misses calls or contains estimates, and its bounds. */
export const columns = (usage: LedgerSums) => ({
  ...usage,
  unpriced: usage.unpriced ?? 0,
  estimated: usage.estimated ?? 0,
  low_usd: usage.low_usd ?? usage.cost_usd,
  high_usd: usage.high_usd ?? usage.cost_usd,
});

const figures = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "cost_usd",
  "unpriced",
  "thinking",
  "calls",
  "estimated",
  "low_usd",
  "high_usd",
] as const;

const money: ReadonlySet<string> = new Set(["cost_usd", "low_usd", "high_usd"]);

/** No call of this row has a known price. A cost of 0 would look free. */
const isUnknown = ({ cost_usd, unpriced, calls }: ReturnType<typeof columns>): boolean =>
  cost_usd === 0 && calls > 0 && unpriced >= calls;

export function toCsv(groupBy: readonly LedgerGroup[], rows: readonly LedgerRow[]): string {
  const lines = rows.map((row) => {
    const usage = columns(row.usage);
    return [
      ...groupBy.map((group) => quoteCell(row.keys[group] ?? "")),
      ...figures.map((name) => (money.has(name) && isUnknown(usage) ? "" : String(usage[name]))),
    ];
  });
  return [[...groupBy, ...figures], ...lines].map(csvLine).join("");
}
