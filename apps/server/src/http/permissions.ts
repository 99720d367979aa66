// Routes for standing permissions. They are created only by answers to questions, which say what is asked for.
import { PatchbayError, type Permission } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { actorOf } from "../access/guard.ts";
import { may } from "../access/policy.ts";
import type { Actor, Rights } from "../access/rights.ts";
import type { Permissions } from "../session/permissions/permissions.ts";
import { parse } from "./requests/parse.ts";

const Params = z.object({ id: z.string().check(z.maxLength(100)) });

export function permissionRoutes(app: FastifyInstance, permissions: Permissions, rights: Rights): void {
  /** Those of sessions that the actor sees; those of a directory, which no session owns, for their creator and admins. */
  const isSeen = ({ session, created_by }: Permission, actor: Actor): boolean =>
    actor.person === null ||
    actor.person.role === "admin" ||
    created_by.person === actor.person.id ||
    (session !== null && rights.sees(actor, session));

  app.get("/api/permissions", may("permissions.list"), async (request) => {
    const actor = actorOf(request);
    return { permissions: permissions.list().filter((permission) => isSeen(permission, actor)) };
  });

  app.delete("/api/permissions/:id", may("permissions.revoke"), async (request, reply) => {
    const { id } = parse(Params, request.params);
    const actor = actorOf(request);
    const permission = permissions.list().find((each) => each.id === id && isSeen(each, actor));
    if (
      permission !== undefined &&
      permission.session !== null &&
      permission.created_by.person !== actor.person?.id
    )
      rights.check(actor, "session.drive", permission.session);
    if (permission === undefined || !(await permissions.revoke(id)))
      throw new PatchbayError("not_found", "There is no such permission. It may have been revoked already.");
    return reply.code(204).send();
  });
}
