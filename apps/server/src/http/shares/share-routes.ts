// Routes for the owner of a session: its share links. A link's secret is in one answer, and nowhere else.
import { NewShare } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { note } from "../../access/audit/audited.ts";
import { may } from "../../access/policy.ts";
import type { Shares } from "../../shares/shares.ts";
import { parse } from "../requests/parse.ts";

const Id = z.string().check(z.maxLength(100));
const Params = z.object({ id: Id });
const ShareParams = z.object({ id: Id, share: Id });

export function shareRoutes(app: FastifyInstance, shares: Shares): void {
  app.get("/api/sessions/:id/shares", may("session.share"), async (request) => ({
    shares: shares.list(parse(Params, request.params).id),
  }));

  app.post("/api/sessions/:id/shares", may("session.share"), async (request, reply) => {
    const wanted = parse(NewShare, request.body);
    const { share, secret } = await shares.create(parse(Params, request.params).id, wanted);
    note(request, { share: share.id, ...wanted });
    return reply.code(201).header("cache-control", "no-store").send({ share, secret });
  });

  app.post("/api/sessions/:id/shares/preview", may("session.share"), async (request, reply) => {
    const { id } = parse(Params, request.params);
    return reply
      .header("cache-control", "no-store")
      .send(await shares.preview(id, parse(NewShare, request.body)));
  });

  app.get("/api/sessions/:id/shares/:share/preview", may("session.share"), async (request, reply) => {
    const { id, share } = parse(ShareParams, request.params);
    const { body } = await shares.previewOf(id, share);
    return reply.header("cache-control", "no-store").type("application/json; charset=utf-8").send(body);
  });

  app.delete("/api/sessions/:id/shares/:share", may("session.share"), async (request, reply) => {
    const { id, share } = parse(ShareParams, request.params);
    await shares.revoke(id, share);
    note(request, { share });
    return reply.code(204).send();
  });
}
