// Budgets: how much may be spent by whom or where, in which stretch of time, and what happens at the limit.
import * as z from "zod/mini";

export const BudgetScope = z.enum(["everything", "project", "worker", "person", "session"]);
export type BudgetScope = z.infer<typeof BudgetScope>;

export const BudgetPeriod = z.enum(["turn", "day", "week", "month", "total"]);
export type BudgetPeriod = z.infer<typeof BudgetPeriod>;

/** More than any budget. */
const Dollars = z.number().check(z.positive(), z.maximum(1_000_000_000));
const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100));
const Zone = z
  .string()
  .check(z.maxLength(100), z.refine(isTimeZone, "expected a time zone, such as Europe/Berlin"));
const Reason = z.string().check(z.trim(), z.maxLength(1_000));
const Percent = z.number().check(z.minimum(1), z.maximum(100));

const terms = {
  name: Name,
  scope: BudgetScope,
  /** Which one: a directory (with those below it), a worker's name, a person, a session's id. Null: each of them has
   * this budget for itself; of everything there is only one. */
  target: z.nullable(z.string().check(z.maxLength(4_096))),
  period: BudgetPeriod,
  /** Whose days, weeks (from Monday) and months. */
  time_zone: Zone,
  limit_usd: Dollars,
  /** soft: people are warned. hard: nothing starts over the limit, and what runs is stopped. */
  kind: z.enum(["soft", "hard"]),
  /** From how much of the limit on people are warned. */
  warn_percent: Percent,
  /** What a hard budget does with models whose price no source knows. */
  unpriced: z.enum(["refuse", "allow"]),
};

/** What a budget says, however it came to be. */
export const BudgetTerms = z.object(terms);
export type BudgetTerms = z.infer<typeof BudgetTerms>;

export const NewBudget = z
  .strictObject({
    ...terms,
    target: z._default(terms.target, null),
    time_zone: z._default(terms.time_zone, "UTC"),
    kind: z._default(terms.kind, "soft"),
    warn_percent: z._default(terms.warn_percent, 80),
    unpriced: z._default(terms.unpriced, "refuse"),
  })
  .check(
    z.refine(({ scope, target }) => scope !== "person" || !target, {
      message: "there is only one person, who has no name: leave the target out",
      path: ["target"],
    }),
  );
export type NewBudget = z.input<typeof NewBudget>;

/** What may change later; what it is for may not, since what was spent would mean something else. */
export const BudgetChange = z.strictObject({
  name: z.optional(terms.name),
  limit_usd: z.optional(terms.limit_usd),
  kind: z.optional(terms.kind),
  warn_percent: z.optional(terms.warn_percent),
  unpriced: z.optional(terms.unpriced),
  /** Why; kept with the change. A higher limit needs one. */
  reason: z.optional(Reason),
});
export type BudgetChange = z.infer<typeof BudgetChange>;

/** A budget is to go. */
export const BudgetRemoval = z.strictObject({ reason: z.optional(Reason) });

type Strictness = Pick<BudgetTerms, "limit_usd" | "kind" | "unpriced">;

/** Whether there is more room after a change than before, which needs a reason: a higher limit, one that only warns, or models
 * without a price in a hard one. */
export const makesRoom = (before: Strictness, after: Strictness): boolean =>
  after.limit_usd > before.limit_usd ||
  (before.kind === "hard" &&
    (after.kind === "soft" || (before.unpriced === "refuse" && after.unpriced === "allow")));

export const BudgetGrant = z.strictObject({
  amount_usd: Dollars,
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(1_000)),
  /** Whose budget, where each has one. */
  target: z.optional(z.string()),
});
export type BudgetGrant = z.infer<typeof BudgetGrant>;

/** How a budget stands for one target in the period that is running. */
export const BudgetStatus = z.object({
  target: z.string(),
  /** The period; null: since ever, and of a turn. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  spent_usd: z.number(),
  /** The limit, with what was granted for this period. */
  limit_usd: z.number(),
  granted_usd: z.number(),
  state: z.enum(["ok", "warned", "over"]),
  /** Calls that it cannot count: what they cost is not known. */
  unpriced_calls: z.number(),
  /** What the model calls that run now are expected to cost; absent when nothing is reserved. */
  reserved_usd: z.optional(z.number()),
  // A forecast at the average pace of the last days; only in the list of all budgets.
  /** What will have been spent when the period ends; absent where it does not end. */
  forecast_usd: z.optional(z.number()),
  /** The average of a day. */
  daily_usd: z.optional(z.number()),
  /** When the limit is reached; null: not in this period, or it is reached already. */
  reached_at: z.optional(z.nullable(z.string())),
});
export type BudgetStatus = z.infer<typeof BudgetStatus>;

export const Budget = z.extend(BudgetTerms, {
  id: z.string(),
  /** config: it stands in the config file, and is changed there. */
  source: z.enum(["api", "config"]),
  created_at: z.nullable(z.string()),
  created_by: z.string(),
  /** Those it stands for, the one nearest to its limit first. */
  status: z.array(BudgetStatus),
});
export type Budget = z.infer<typeof Budget>;

export const BudgetEventKind = z.enum([
  "created",
  "changed",
  "deleted",
  "granted",
  "warned",
  "exceeded",
  "refused",
  "stopped",
]);
export type BudgetEventKind = z.infer<typeof BudgetEventKind>;

/** Something happened to a budget, or because of it. */
export const BudgetEvent = z.object({
  id: z.string(),
  time: z.string(),
  budget: z.string(),
  event: BudgetEventKind,
  target: z.string(),
  /** Where it happened; null: nowhere in particular. */
  session: z.nullable(z.string()),
  by: z.string(),
  /** The period it belongs to, by its start. */
  period: z.nullable(z.string()),
  amount_usd: z.nullable(z.number()),
  reason: z.string(),
  /** For a person. */
  message: z.string(),
});
export type BudgetEvent = z.infer<typeof BudgetEvent>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false; // Intl knows no such zone
  }
}
