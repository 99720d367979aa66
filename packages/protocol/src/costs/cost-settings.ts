// What a person sets about costs: discounts that were negotiated with providers, and the currency in which amounts are shown.
import * as z from "zod/mini";

const Day = z
  .string()
  .check(
    z.refine(
      (day) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)),
      "expected a day such as 2026-11-18",
    ),
  );

/** A percentage off the list prices of a provider's models. */
export const Discount = z
  .strictObject({
    /** `provider/model`, or a pattern in which `*` matches anything. */
    match: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
    percent: z.number().check(z.positive(), z.maximum(100)),
    /** The first day, and the day on which it is over, in UTC. Absent: it always was, or is still valid. */
    from: z.optional(Day),
    until: z.optional(Day),
  })
  .check(
    z.refine(
      ({ from, until }) => from === undefined || until === undefined || from < until,
      "a discount ends after it begins",
    ),
  );
export type Discount = z.infer<typeof Discount>;

/** More are a mistake: every priced call looks through them. */
export const Discounts = z.array(Discount).check(z.maxLength(200));

/** Amounts are kept in dollars, and shown in this currency at this rate. */
export const DisplayCurrency = z.strictObject({
  /** ISO 4217. */
  code: z.string().check(z.regex(/^[A-Z]{3}$/, "expected the code of a currency, such as EUR")),
  /** What a dollar is worth. */
  per_usd: z.number().check(z.positive(), z.maximum(10_000_000)),
  /** The day of the rate. */
  date: Day,
});
export type DisplayCurrency = z.infer<typeof DisplayCurrency>;

const Source = z.enum(["config", "page"]);

export const CostSettingsInfo = z.object({
  /** In this order: of those that match a call, the first applies. Those of the config file come first. */
  discounts: z.array(z.object({ ...Discount.shape, source: Source })),
  currency: z.nullable(z.object({ ...DisplayCurrency.shape, source: Source })),
});
export type CostSettingsInfo = z.infer<typeof CostSettingsInfo>;

/** A list replaces the one of the page; those of the config file stay. */
export const ChangeCostSettings = z.strictObject({
  discounts: z.optional(Discounts),
  currency: z.optional(z.nullable(DisplayCurrency)),
});
export type ChangeCostSettings = z.infer<typeof ChangeCostSettings>;
