// The route of what agents told about the windows of their plans.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../../access/policy.ts";
import type { PlanLimits } from "../../costs/plans/plan-limits.ts";
import { parse } from "../requests/parse.ts";

const PlansQuery = z.object({ agent: z.optional(z.string().check(z.maxLength(200))) });

export function planLimitRoutes(app: FastifyInstance, planLimits: PlanLimits): void {
  app.get("/api/costs/plan-limits", may("costs.read"), async (request) => {
    const { agent } = parse(PlansQuery, request.query);
    const plans = planLimits.list(Date.now());
    return { plans: agent === undefined ? plans : plans.filter((plan) => plan.agent === agent) };
  });
}
