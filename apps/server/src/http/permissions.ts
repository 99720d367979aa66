// Routes for standing permissions. They are created only by answers to questions, which say what is asked for.
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Permissions } from "../session/permissions/permissions.ts";
import { parse } from "./requests/parse.ts";

const Params = z.object({ id: z.string().check(z.maxLength(100)) });

export function permissionRoutes(app: FastifyInstance, permissions: Permissions): void {
  app.get("/api/permissions", async () => ({ permissions: permissions.list() }));

  app.delete("/api/permissions/:id", async (request, reply) => {
    if (!(await permissions.revoke(parse(Params, request.params).id)))
      throw new PatchbayError("not_found", "There is no such permission. It may have been revoked already.");
    return reply.code(204).send();
  });
}
