// The routes of what a person sets about costs.
import { ChangeCostSettings } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import { may } from "../../access/policy.ts";
import type { CostSettings } from "../../costs/settings/cost-settings.ts";
import { parse } from "../requests/parse.ts";

export function costSettingsRoutes(app: FastifyInstance, settings: CostSettings): void {
  app.get("/api/costs/settings", may("costs.read"), async () => ({ settings: settings.info() }));

  app.patch("/api/costs/settings", may("prices.change"), async (request) => {
    await settings.change(parse(ChangeCostSettings, request.body));
    return { settings: settings.info() };
  });
}
