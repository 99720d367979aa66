// When alerts about spending are raised, and when the report is sent. Part of `costs` in the config file.
import * as z from "zod/mini";

const Dollars = z.number().check(z.nonnegative(), z.maximum(1_000_000));
const Days = z.number().check(z.int(), z.minimum(1), z.maximum(60));

const SpikeSettings = z.strictObject({
  /** A spike is this many times the usual amount. */
  factor: z._default(z.number().check(z.minimum(1.1), z.maximum(1_000)), 3),
  /** And this much more than it. Three times a few cents deserves no alert. */
  minimum_usd: z._default(Dollars, 5),
  /** The days that the usual amount is computed from: two weeks have two of each weekday. */
  days: z._default(Days, 14),
  /** Days with spending among them. With fewer, nothing is usual. */
  known_days: z._default(Days, 3),
});
export type SpikeSettings = z.infer<typeof SpikeSettings>;

/** Each kind can be turned off. */
const offOr = <T extends z.core.$ZodType>(settings: T) => z.union([z.literal("off"), settings]);

export const AlertSettings = z.strictObject({
  /** How often spending is checked. Nothing is read twice while nothing is spent. */
  check_seconds: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(3_600)), 60),
  spikes: z._default(offOr(SpikeSettings), SpikeSettings.parse({})),
  /** `calls`: a model's calls in a month without a known price. */
  unpriced: z._default(
    offOr(z.strictObject({ calls: z.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)) })),
    { calls: 10 },
  ),
  /** `percent`: of the budget's limit. */
  forecast: z._default(
    offOr(z.strictObject({ percent: z.number().check(z.minimum(10), z.maximum(1_000)) })),
    { percent: 100 },
  ),
});
export type AlertSettings = z.infer<typeof AlertSettings>;

/** The report of the last month, for webhooks. */
export const ReportSettings = z.strictObject({
  schedule: z.literal("monthly"),
  /** The hour of the first day from which on it is sent. Calls of the last minutes of the month are in the ledger by then. */
  hour: z._default(z.number().check(z.int(), z.minimum(0), z.maximum(23)), 6),
  language: z._default(z.enum(["en", "de"]), "en"),
});
export type ReportSettings = z.infer<typeof ReportSettings>;
