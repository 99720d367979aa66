// Alerts about spending: more than usual, calls without a known price, a forecast above a budget. Each is raised once in its period.
import * as z from "zod/mini";

export const AlertKind = z.enum(["spike", "unpriced", "forecast"]);
export type AlertKind = z.infer<typeof AlertKind>;

/** The fields beside the message depend on the kind: a page can say it in its own language. */
export const AlertDetails = z.object({
  message: z.string(),
  /** spike: of today so far, and what is usual at this time of the day. */
  spent_usd: z.optional(z.number()),
  usual_usd: z.optional(z.number()),
  /** unpriced: calls of this month. */
  calls: z.optional(z.number()),
  /** forecast: by the end of the budget's period. `budget` is its id. */
  budget: z.optional(z.string()),
  budget_name: z.optional(z.string()),
  forecast_usd: z.optional(z.number()),
  limit_usd: z.optional(z.number()),
});
export type AlertDetails = z.infer<typeof AlertDetails>;

export const CostAlert = z.extend(AlertDetails, {
  id: z.string(),
  time: z.string(),
  kind: AlertKind,
  /** What `target` is: a directory, a model, or that of a budget (empty: it is for everything). `person`: the id of a person, on a server with people. */
  subject: z.enum(["project", "model", "person", "budget"]),
  target: z.string(),
  /** The beginning of the day, month or budget's period. It is not raised again in it. */
  period: z.string(),
  /** A person has seen it and does not want to see it again. */
  dismissed: z.boolean(),
});
export type CostAlert = z.infer<typeof CostAlert>;
