// What other programs left here: sessions to go on with, and what was spent outside.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { CostImports } from "../costs/imports/cost-imports.ts";
import type { SessionImports } from "../session/hub/import-session.ts";
import { parse } from "./requests/parse.ts";

const CostWish = z.strictObject({
  from: z.optional(z.string().check(z.minLength(1))),
  dry_run: z.optional(z.boolean()),
});
const Where = z.object({ cwd: z.optional(z.string()) });

export function importRoutes(app: FastifyInstance, sessions: SessionImports, costs: CostImports): void {
  app.get("/api/imports", async (request) => ({
    sessions: await sessions.list(parse(Where, request.query).cwd),
  }));

  app.post("/api/imports/costs", async (request, reply) =>
    reply.code(202).send({ import: await costs.start(parse(CostWish, request.body)) }),
  );

  app.get("/api/imports/costs", async () => ({ import: costs.latest }));
}
