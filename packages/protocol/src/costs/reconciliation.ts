// A provider's usage export compared with the ledger, by day and model. Days are those of UTC: providers know no others.
import * as z from "zod/mini";

const Tokens = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
});

/** What the file says. Null: it does not tell. An export has tokens or money, seldom both. */
export const ExportedSums = z.object({ tokens: z.nullable(Tokens), cost_usd: z.nullable(z.number()) });
export type ExportedSums = z.infer<typeof ExportedSums>;

/** What the ledger says. `unpriced` calls are not in the cost; with `estimated` calls it lies between `low_usd` and `high_usd`. */
export const ReconciledLedger = z.object({
  tokens: Tokens,
  calls: z.number(),
  cost_usd: z.number(),
  low_usd: z.number(),
  high_usd: z.number(),
  unpriced: z.number(),
  estimated: z.number(),
});
export type ReconciledLedger = z.infer<typeof ReconciledLedger>;

/** The provider's figures minus the ledger's. Null: one of them does not tell. */
const Difference = z.object({ tokens: z.nullable(z.number()), cost_usd: z.nullable(z.number()) });

export const ReconciledState = z.enum(["equal", "differs", "only_provider", "only_ledger"]);
export type ReconciledState = z.infer<typeof ReconciledState>;

export const ReconciledRow = z.object({
  day: z.string(),
  /** As the provider writes it, else as the ledger does; empty: the file names no model. */
  model: z.string(),
  /** The same for all names of a model: with and without a date, or as a title. */
  model_key: z.string(),
  state: ReconciledState,
  provider: z.nullable(ExportedSums),
  ledger: z.nullable(ReconciledLedger),
  difference: Difference,
});
export type ReconciledRow = z.infer<typeof ReconciledRow>;

export const Reconciliation = z.object({
  provider: z.string(),
  /** Which export the file is, for a person. */
  format: z.string(),
  time_zone: z.literal("UTC"),
  /** The first and the last day of the file. */
  from: z.string(),
  to: z.string(),
  /** False: the file names no models, so that only days can be compared. */
  by_model: z.boolean(),
  /** The file is one page of several: it says that there are more. */
  is_partial: z.boolean(),
  rows: z.array(ReconciledRow),
  total: z.object({ provider: ExportedSums, ledger: ReconciledLedger, difference: Difference }),
});
export type Reconciliation = z.infer<typeof Reconciliation>;
