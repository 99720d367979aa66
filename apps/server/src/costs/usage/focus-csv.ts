// Writes the ledger in the format of FOCUS 1.2, the FinOps Foundation's format of bills: one charge per model call. The ledger keeps
// one cost per call, so a charge per kind of token would invent its cost; tokens by kind are columns of our own (`x_…`).
import { basename } from "node:path";
import { certaintyOf, type LedgerEntry, type TurnQuery } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { cacheWrites, callId, costOf, writeEntries } from "./call-rows.ts";
import { csvLine, dollarsCell, quoteCell } from "./csv.ts";

/** FOCUS times have no fractions. */
const second = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
const monthOf = (time: number, months: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

const describeCharge = (entry: LedgerEntry): string => {
  const note = { exact: "", estimated: ", cost estimated", unknown: ", cost not known" }[certaintyOf(entry)];
  return `Model call of ${entry.model}${note}`;
};

/** A row by its columns. An empty cell is null: a cost that is not known stays empty, it is not 0. */
function focusRow(entry: LedgerEntry) {
  const time = Math.floor(Date.parse(entry.time) / 1_000) * 1_000;
  const { cost, low, high } = costOf(entry);
  const dollars = (nanos: number | null): string => (nanos === null ? "" : dollarsCell(nanos));
  const tokens = String(entry.input + entry.output + entry.cache_read + entry.cache_write);
  const writes = cacheWrites(entry);
  return {
    BilledCost: dollars(cost),
    BillingAccountId: entry.provider,
    BillingCurrency: "USD",
    BillingPeriodEnd: second(monthOf(time, 1)),
    BillingPeriodStart: second(monthOf(time, 0)),
    ChargeCategory: "Usage",
    ChargeClass: "",
    ChargeDescription: describeCharge(entry),
    ChargeFrequency: "Usage-Based",
    ChargePeriodEnd: second(time + 1_000),
    ChargePeriodStart: second(time),
    ConsumedQuantity: tokens,
    ConsumedUnit: "Tokens",
    ContractedCost: dollars(cost),
    EffectiveCost: dollars(cost),
    InvoiceIssuerName: entry.provider,
    ListCost: dollars(cost === null ? null : (entry.list_nanos ?? cost)),
    ListUnitPrice: "", // a call has several rates
    PricingCategory: "Standard",
    PricingQuantity: tokens,
    PricingUnit: "Tokens",
    ProviderName: entry.provider,
    PublisherName: entry.provider,
    ResourceId: entry.session,
    ResourceType: "Session",
    ServiceCategory: "AI and Machine Learning",
    ServiceName: entry.model,
    SkuId: `${entry.provider}/${entry.model}`,
    SubAccountId: entry.cwd,
    SubAccountName: basename(entry.cwd),
    Tags: JSON.stringify({
      person: entry.person,
      ...(entry.caused_by === undefined ? {} : { caused_by: entry.caused_by }),
      branch: entry.branch,
      worker: entry.worker,
    }),
    x_CallId: callId(entry),
    x_CostCertainty: certaintyOf(entry),
    x_CostHigh: dollars(high),
    x_CostLow: dollars(low),
    x_PriceSource: entry.price,
    x_InputTokens: String(entry.input),
    x_OutputTokens: String(entry.output),
    x_CacheReadTokens: String(entry.cache_read),
    x_CacheWrite5mTokens: String(writes.cache_write_5m),
    x_CacheWrite1hTokens: String(writes.cache_write_1h),
  };
}

/** In the order of the cells. */
const columns: readonly (keyof ReturnType<typeof focusRow>)[] = [
  "BilledCost",
  "BillingAccountId",
  "BillingCurrency",
  "BillingPeriodEnd",
  "BillingPeriodStart",
  "ChargeCategory",
  "ChargeClass",
  "ChargeDescription",
  "ChargeFrequency",
  "ChargePeriodEnd",
  "ChargePeriodStart",
  "ConsumedQuantity",
  "ConsumedUnit",
  "ContractedCost",
  "EffectiveCost",
  "InvoiceIssuerName",
  "ListCost",
  "ListUnitPrice",
  "PricingCategory",
  "PricingQuantity",
  "PricingUnit",
  "ProviderName",
  "PublisherName",
  "ResourceId",
  "ResourceType",
  "ServiceCategory",
  "ServiceName",
  "SkuId",
  "SubAccountId",
  "SubAccountName",
  "Tags",
  "x_CallId",
  "x_CostCertainty",
  "x_CostHigh",
  "x_CostLow",
  "x_PriceSource",
  "x_InputTokens",
  "x_OutputTokens",
  "x_CacheReadTokens",
  "x_CacheWrite5mTokens",
  "x_CacheWrite1hTokens",
];

export const focusCsv = (store: Store, query: TurnQuery): AsyncIterable<string> =>
  writeEntries(store, query, csvLine(columns), (entry) => {
    const row = focusRow(entry);
    return csvLine(columns.map((name) => quoteCell(row[name])));
  });
