// Routes for imports from other programs: their sessions and their costs.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../access/policy.ts";
import type { CostImports } from "../costs/imports/cost-imports.ts";
import type { SessionImports } from "../session/hub/import-session.ts";
import { parse } from "./requests/parse.ts";

const CostImportBody = z.strictObject({
  from: z.optional(z.string().check(z.minLength(1))),
  dry_run: z.optional(z.boolean()),
});
const ListQuery = z.object({ cwd: z.optional(z.string()) });

export function importRoutes(app: FastifyInstance, sessions: SessionImports, costs: CostImports): void {
  app.get("/api/imports", may("imports.read"), async (request) => ({
    sessions: await sessions.list(parse(ListQuery, request.query).cwd),
  }));

  app.post("/api/imports/costs", may("imports.run"), async (request, reply) =>
    reply.code(202).send({ import: await costs.start(parse(CostImportBody, request.body)) }),
  );

  app.get("/api/imports/costs", may("imports.read"), async () => ({ import: costs.latest }));
}
