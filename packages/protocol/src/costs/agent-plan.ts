// The windows of an agent's subscription plan as people see them: what was told last, and which one binds first.
import * as z from "zod/mini";
import { PlanWindow } from "./plan-limits.ts";

export const AgentPlan = z.object({
  agent: z.string(),
  plan: z.nullable(z.string()),
  /** When the newest of it was told. */
  told_at: z.string(),
  /** That of the binding window comes first. */
  windows: z.array(z.extend(PlanWindow, { told_at: z.string(), has_reset: z.boolean() })),
  /** The window that stops the agent first; null: none is known to. */
  binds: z.nullable(z.string()),
  /** When it is used up at the pace so far; null: not before it resets, or not known. */
  reached_at: z.nullable(z.string()),
});
export type AgentPlan = z.infer<typeof AgentPlan>;
