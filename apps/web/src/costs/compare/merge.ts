// Two comparisons of one provider as one: a usage export has the tokens, and a cost export of the same days has the money.
import type { ExportedSums, ReconciledLedger, ReconciledRow, Reconciliation } from "@patchbay/protocol";

/** Whether they can be one. Days cannot be merged with models. */
export const canMerge = (a: Reconciliation, b: Reconciliation): boolean =>
  a.provider === b.provider && a.by_model === b.by_model;

/** What both tell is that of the second. */
export function merge(a: Reconciliation, b: Reconciliation): Reconciliation {
  const rows = new Map(a.rows.map((row) => [keyOf(row), row]));
  for (const row of b.rows) {
    const other = rows.get(keyOf(row));
    rows.set(keyOf(row), other === undefined ? row : mergedRow(other, row));
  }
  const sorted = [...rows.values()].sort(byDayAndModel);
  return {
    ...b,
    format: [...new Set([a.format, b.format])].join(" + "),
    from: a.from < b.from ? a.from : b.from,
    to: a.to > b.to ? a.to : b.to,
    is_partial: a.is_partial || b.is_partial,
    rows: sorted,
    total: totalOf(sorted),
  };
}

const keyOf = ({ day, model_key }: ReconciledRow): string => `${day} ${model_key}`;
/** The newest day first, as the server sorts them. */
const byDayAndModel = (a: ReconciledRow, b: ReconciledRow): number =>
  a.day === b.day ? (a.model_key < b.model_key ? -1 : 1) : a.day < b.day ? 1 : -1;

function mergedRow(a: ReconciledRow, b: ReconciledRow): ReconciledRow {
  const provider =
    a.provider === null || b.provider === null
      ? (a.provider ?? b.provider)
      : {
          tokens: b.provider.tokens ?? a.provider.tokens,
          cost_usd: b.provider.cost_usd ?? a.provider.cost_usd,
        };
  const ledger = b.ledger ?? a.ledger;
  // The identifier says more than the title of a cost export.
  const model = a.provider?.tokens ? a.model : b.provider?.tokens ? b.model : b.model || a.model;
  return { ...b, model, provider, ledger, state: stateOf(a, b), difference: differenceOf(provider, ledger) };
}

function stateOf(a: ReconciledRow, b: ReconciledRow): ReconciledRow["state"] {
  if (a.state === b.state) return a.state;
  // One of the files lacks what the other one has.
  return "differs";
}

function differenceOf(
  provider: ExportedSums | null,
  ledger: ReconciledLedger | null,
): ReconciledRow["difference"] {
  const tokens = provider === null ? 0 : provider.tokens === null ? null : tokensOf(provider.tokens);
  const cost = provider === null ? 0 : provider.cost_usd;
  const [recorded, spent] = ledger === null ? [0, 0] : [tokensOf(ledger.tokens), ledger.cost_usd];
  return {
    tokens: tokens === null ? null : tokens - recorded,
    cost_usd: cost === null ? null : (Math.round(cost * 1e9) - Math.round(spent * 1e9)) / 1e9,
  };
}

export const tokensOf = ({ input, output, cache_read, cache_write }: ReconciledLedger["tokens"]): number =>
  input + output + cache_read + cache_write;

function totalOf(rows: readonly ReconciledRow[]): Reconciliation["total"] {
  let provider: ExportedSums = { tokens: null, cost_usd: null };
  let ledger: ReconciledLedger = {
    ...{ tokens: nothing, calls: 0, cost_usd: 0, low_usd: 0, high_usd: 0, unpriced: 0, estimated: 0 },
  };
  for (const row of rows) {
    if (row.provider !== null)
      provider = {
        tokens:
          row.provider.tokens === null
            ? provider.tokens
            : addTokens(provider.tokens ?? nothing, row.provider.tokens),
        cost_usd:
          row.provider.cost_usd === null
            ? provider.cost_usd
            : plus(provider.cost_usd ?? 0, row.provider.cost_usd),
      };
    if (row.ledger !== null)
      ledger = {
        tokens: addTokens(ledger.tokens, row.ledger.tokens),
        calls: ledger.calls + row.ledger.calls,
        cost_usd: plus(ledger.cost_usd, row.ledger.cost_usd),
        low_usd: plus(ledger.low_usd, row.ledger.low_usd),
        high_usd: plus(ledger.high_usd, row.ledger.high_usd),
        unpriced: ledger.unpriced + row.ledger.unpriced,
        estimated: ledger.estimated + row.ledger.estimated,
      };
  }
  return { provider, ledger, difference: differenceOf(provider, ledger) };
}

const nothing = { input: 0, output: 0, cache_read: 0, cache_write: 0 };

/** In nano-dollars, which are whole. */
const plus = (a: number, b: number): number => (Math.round(a * 1e9) + Math.round(b * 1e9)) / 1e9;

const addTokens = (
  a: ReconciledLedger["tokens"],
  b: ReconciledLedger["tokens"],
): ReconciledLedger["tokens"] => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cache_read: a.cache_read + b.cache_read,
  cache_write: a.cache_write + b.cache_write,
});
