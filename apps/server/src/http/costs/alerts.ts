// Routes for alerts about spending: list, dismiss.
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../../access/policy.ts";
import type { CostAlerts } from "../../costs/alerts/cost-alerts.ts";
import { parse } from "../requests/parse.ts";

const Id = z.object({ id: z.string().check(z.maxLength(100)) });
const AlertsQuery = z.object({
  days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 31),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)), 100),
});

const dayMs = 86_400_000;

export function alertRoutes(app: FastifyInstance, alerts: CostAlerts): void {
  app.get("/api/costs/alerts", may("costs.read-all"), async (request) => {
    const { days, limit } = parse(AlertsQuery, request.query);
    return { alerts: await alerts.list(Date.now() - days * dayMs, limit) };
  });

  app.post("/api/costs/alerts/:id/dismiss", may("budgets.change"), async (request, reply) => {
    if (!(await alerts.dismiss(parse(Id, request.params).id))) throw new PatchbayError("not_found");
    return reply.code(204).send();
  });
}
