// Routes for sessions.
import { Readable } from "node:stream";
import { type SessionInfo, UpdateSession } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { actorOf } from "../access/guard.ts";
import { may } from "../access/policy.ts";
import type { Rights } from "../access/rights.ts";
import { Exports, exportTypes } from "../export/export.ts";
import { renameSession } from "../session/commands/session-commands.ts";
import type { Hub } from "../session/hub/hub.ts";
import { jsonPieces } from "../session/viewers/json-pieces.ts";
import { parse } from "./requests/parse.ts";

const Id = z.object({ id: z.string() });
/** Seconds. After an hour a person no longer needs to undo. */
const DeleteQuery = z.object({
  undo: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(3_600))),
});
const Index = z.coerce.number().check(z.int(), z.nonnegative());
/** A part of the messages, counted from the first. */
const MessagesQuery = z.object({ from: z._default(Index, 0), count: z.optional(Index) });
const ExportQuery = z.object({ format: z._default(z.enum(["jsonl", "md", "html"]), "jsonl") });

export function sessionRoutes(app: FastifyInstance, hub: Hub, rights: Rights): void {
  const exports = new Exports();
  const find = (params: unknown) => hub.open(parse(Id, params).id);

  app.get("/api/sessions", may("sessions.list"), async (request) => {
    const actor = actorOf(request);
    const seen = (views: SessionInfo[]) =>
      actor.person === null ? views : views.filter(({ id }) => rights.sees(actor, id));
    return { sessions: seen(hub.views()), deleting: seen(hub.deleting()) };
  });

  app.get("/api/sessions/:id", may("session.watch"), async (request) => ({
    session: hub.view(parse(Id, request.params).id),
  }));

  app.patch("/api/sessions/:id", may("session.change"), async (request) => {
    const session = await find(request.params);
    const { name, pinned, archived } = parse(UpdateSession, request.body);
    if (name !== undefined) await renameSession(session, name);
    const place = {
      ...(pinned === undefined ? {} : { pinned }),
      ...(archived === undefined ? {} : { archived }),
    };
    if (Object.keys(place).length > 0) await session.place(place);
    return { session: session.view() };
  });

  app.post("/api/sessions/:id/stop", may("session.drive"), async (request) => {
    const session = await find(request.params);
    await session.stop(actorOf(request).author);
    return { session: session.view() };
  });

  app.delete("/api/sessions/:id", may("session.delete"), async (request, reply) => {
    const { id } = parse(Id, request.params);
    const { undo } = parse(DeleteQuery, request.query);
    if (undo !== undefined) return reply.code(202).send({ session: await hub.deleteLater(id, undo * 1_000) });
    await hub.delete(id);
    return reply.code(204).send();
  });

  app.post("/api/sessions/:id/restore", may("session.delete"), async (request) => ({
    session: await hub.restore(parse(Id, request.params).id),
  }));

  app.get("/api/sessions/:id/messages", may("session.watch"), async (request, reply) => {
    const session = await find(request.params);
    const { from, count } = parse(MessagesQuery, request.query);
    const { seq, transcript } = await session.shownSnapshot();
    const messages = transcript.messages.slice(from, count === undefined ? undefined : from + count);
    return reply
      .type("application/json; charset=utf-8")
      .send(Readable.from(jsonPieces({ messages, seq }), { objectMode: false }));
  });

  app.get("/api/sessions/:id/export", may("session.export"), async (request, reply) => {
    const session = await find(request.params);
    const { format } = parse(ExportQuery, request.query);
    const view = session.view();
    const file = await exports.export(format, view, (await session.shownSnapshot()).transcript);
    const fileName = `${view.name.replaceAll(/[^\w.-]+/g, "-") || view.id}.${format}`;
    return reply
      .header("content-type", exportTypes[format])
      .header("content-disposition", `attachment; filename="${fileName}"`)
      .send(file);
  });
}
