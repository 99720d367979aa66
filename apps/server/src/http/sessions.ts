// The session calls.
import { CreateSession, UpdateSession } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { exportTranscript, exportTypes } from "../export/export.ts";
import type { Hub } from "../session/hub.ts";
import { renameSession } from "../session/session-commands.ts";
import { parse } from "./parse.ts";

const Id = z.object({ id: z.string() });
const ExportQuery = z.object({ format: z._default(z.enum(["jsonl", "md", "html"]), "jsonl") });

export function sessionRoutes(app: FastifyInstance, hub: Hub): void {
  const find = (params: unknown) => hub.open(parse(Id, params).id);

  app.post("/api/sessions", async (request, reply) => {
    const session = await hub.create(parse(CreateSession, request.body));
    return reply.code(201).send({ session: session.view() });
  });

  app.get("/api/sessions", async () => ({ sessions: hub.views() }));

  app.get("/api/sessions/:id", async (request) => ({ session: hub.view(parse(Id, request.params).id) }));

  app.patch("/api/sessions/:id", async (request) => {
    const session = await find(request.params);
    const { name } = parse(UpdateSession, request.body);
    if (name !== undefined) await renameSession(session, name);
    return { session: session.view() };
  });

  app.post("/api/sessions/:id/stop", async (request) => {
    const session = await find(request.params);
    await session.worker.stop();
    return { session: session.view() };
  });

  app.delete("/api/sessions/:id", async (request, reply) => {
    await hub.delete(parse(Id, request.params).id);
    return reply.code(204).send();
  });

  app.get("/api/sessions/:id/messages", async (request) => {
    const session = await find(request.params);
    const { seq, transcript } = await session.snapshot();
    return { messages: transcript.messages, seq };
  });

  app.get("/api/sessions/:id/export", async (request, reply) => {
    const session = await find(request.params);
    const { format } = parse(ExportQuery, request.query);
    const view = session.view();
    const fileName = `${view.name.replaceAll(/[^\w.-]+/g, "-") || view.id}.${format}`;
    return reply
      .header("content-type", exportTypes[format])
      .header("content-disposition", `attachment; filename="${fileName}"`)
      .send(exportTranscript(format, view, (await session.snapshot()).transcript));
  });
}
