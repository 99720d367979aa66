// Compares a provider's export with the ledger, by day and model. Pure: the caller reads both.
import type { ExportedSums, ReconciledLedger, ReconciledRow, Reconciliation } from "@patchbay/protocol";
import { addSums, type LedgerRow, type LedgerSums, noSums } from "../../store/ledger-types.ts";
import { withoutDate } from "../prices/catalog.ts";
import { addedLines, type ExportLine } from "./export-line.ts";
import type { ProviderExport } from "./read-export.ts";

/** Exports round amounts to cents, or to what a float keeps. */
const centNanos = 5_000_000;

/** `ledger`: sums by `day` and `model`, in UTC, of the days of the export and of its provider. */
export function compare(exported: ProviderExport, ledger: readonly LedgerRow[]): Reconciliation {
  const byModel = exported.sums.some(({ model }) => model !== "");
  const pairs = new Map<string, { day: string; model: string; line?: ExportLine; usage?: LedgerSums }>();
  const pairOf = (day: string, model: string) => {
    const key = `${day}\n${byModel ? modelKey(model) : ""}`;
    let pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, (pair = { day, model: byModel ? model : "" }));
    return pair;
  };
  for (const line of exported.sums) {
    const pair = pairOf(line.day, line.model);
    pair.line = pair.line === undefined ? line : addedLines(pair.line, line);
  }
  for (const { keys, usage } of ledger) {
    const pair = pairOf(keys.day ?? "", keys.model ?? "");
    pair.usage = pair.usage === undefined ? usage : addSums(pair.usage, usage);
  }
  const rows = [...pairs.values()].map(rowOf).sort(byDayAndModel);
  const line = exported.sums.reduce<ExportLine | undefined>(
    (sum, each) => (sum === undefined ? each : addedLines(sum, each)),
    undefined,
  );
  const provider = exportedSums(line);
  const total = ledgerSums(ledger.reduce((sum, { usage }) => addSums(sum, usage), noSums));
  return {
    provider: exported.provider,
    format: exported.format,
    time_zone: "UTC",
    from: exported.from,
    to: exported.to,
    by_model: byModel,
    is_partial: exported.isPartial,
    rows,
    total: { provider, ledger: total, difference: differenceOf(provider, total) },
  };
}

/**
 * The same for all names of a model: `claude-sonnet-4-5-20250929`, `anthropic/claude-sonnet-4-5` and `Claude Sonnet 4.5`. Of Claude's
 * models the words are sorted, since `claude-3-5-sonnet` is the `Claude Sonnet 3.5` of a cost export.
 */
export function modelKey(model: string): string {
  const plain = model
    .trim()
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/\[[^\]]*\]$/, "");
  const name = withoutDate(plain.replaceAll(/[\s_]+/g, "-"));
  if (!name.startsWith("claude")) return name;
  const parts = name.replaceAll(".", "-").split("-");
  const isNumber = (part: string): boolean => /^\d+$/.test(part);
  return [...parts.filter((part) => !isNumber(part)).sort(), ...parts.filter(isNumber)].join("-");
}

function rowOf({
  day,
  model,
  line,
  usage,
}: {
  day: string;
  model: string;
  line?: ExportLine;
  usage?: LedgerSums;
}): ReconciledRow {
  const provider = line === undefined ? null : exportedSums(line);
  const ledger = usage === undefined ? null : ledgerSums(usage);
  const difference =
    provider === null || ledger === null ? oneSided(provider, ledger) : differenceOf(provider, ledger);
  const state =
    provider === null
      ? "only_ledger"
      : ledger === null
        ? "only_provider"
        : areEqual(provider, ledger)
          ? "equal"
          : "differs";
  return { day, model, model_key: modelKey(model), state, provider, ledger, difference };
}

/** What only one side has is the whole difference. */
function oneSided(
  provider: ExportedSums | null,
  ledger: ReconciledLedger | null,
): ReconciledRow["difference"] {
  if (provider !== null)
    return {
      tokens: provider.tokens === null ? null : allTokens(provider.tokens),
      cost_usd: provider.cost_usd,
    };
  if (ledger === null) return { tokens: null, cost_usd: null };
  return { tokens: -allTokens(ledger.tokens), cost_usd: -ledger.cost_usd };
}

function areEqual({ tokens, cost_usd }: ExportedSums, ledger: ReconciledLedger): boolean {
  if (tokens !== null && kinds.some((kind) => tokens[kind] !== ledger.tokens[kind])) return false;
  if (cost_usd === null) return true;
  const cost = Math.round(cost_usd * 1e9);
  // The bounds of calls that were cut contain the bill.
  return (
    cost >= Math.round(ledger.low_usd * 1e9) - centNanos &&
    cost <= Math.round(ledger.high_usd * 1e9) + centNanos
  );
}

const differenceOf = (
  { tokens, cost_usd }: ExportedSums,
  ledger: ReconciledLedger,
): ReconciledRow["difference"] => ({
  tokens: tokens === null ? null : allTokens(tokens) - allTokens(ledger.tokens),
  cost_usd: cost_usd === null ? null : (Math.round(cost_usd * 1e9) - Math.round(ledger.cost_usd * 1e9)) / 1e9,
});

const kinds = ["input", "output", "cache_read", "cache_write"] as const;

const allTokens = (tokens: ReconciledLedger["tokens"]): number =>
  kinds.reduce((sum, kind) => sum + tokens[kind], 0);

const exportedSums = (line: ExportLine | undefined): ExportedSums => ({
  tokens: line?.tokens ?? null,
  cost_usd: line === undefined || line.cost_nanos === null ? null : line.cost_nanos / 1e9,
});

const ledgerSums = (usage: LedgerSums): ReconciledLedger => ({
  tokens: {
    input: usage.input,
    output: usage.output,
    cache_read: usage.cache_read,
    cache_write: usage.cache_write,
  },
  calls: usage.calls,
  cost_usd: usage.cost_usd,
  low_usd: usage.low_usd ?? usage.cost_usd,
  high_usd: usage.high_usd ?? usage.cost_usd,
  unpriced: usage.unpriced ?? 0,
  estimated: usage.estimated ?? 0,
});

const byDayAndModel = (a: ReconciledRow, b: ReconciledRow): number =>
  a.day < b.day ? 1 : a.day > b.day ? -1 : a.model_key < b.model_key ? -1 : a.model_key > b.model_key ? 1 : 0;
