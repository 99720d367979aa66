// The windows of a subscription plan (five hours, a week), as agents tell them. What an agent does not tell is absent, never 0.
import * as z from "zod/mini";

export const PlanWindow = z.object({
  /** Which window of the agent's it is: `five_hour`, `codex/primary`. A later frame with this id replaces it. */
  id: z.string(),
  /** What it is limited to, where the agent names it: a model, a feature. */
  name: z.optional(z.string()),
  /** How long it is. */
  minutes: z.optional(z.number()),
  /** May exceed 100. */
  used_percent: z.optional(z.number()),
  /** `near`: the provider warns; `reached`: it refuses calls. */
  status: z.optional(z.enum(["near", "reached"])),
  resets_at: z.optional(z.string()),
});
export type PlanWindow = z.infer<typeof PlanWindow>;

/** What an agent told at a time. */
export const PlanLimitsTold = z.object({
  time: z.string(),
  /** The provider's name of the plan. */
  plan: z.optional(z.string()),
  windows: z.array(PlanWindow),
});
export type PlanLimitsTold = z.infer<typeof PlanLimitsTold>;

export const PlanLimitsEvent = z.looseObject({
  type: z.literal("plan_limits"),
  ...PlanLimitsTold.shape,
});
export type PlanLimitsEvent = z.infer<typeof PlanLimitsEvent>;
