// A session as server-sent events, for programs that do not speak WebSocket. The reader is a viewer like any other, so it has the
// same replay, bounds and backpressure; it cannot send commands.
import { randomUUID } from "node:crypto";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Logins } from "../access/logins.ts";
import type { Limits } from "../config/config-file.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { Viewer } from "../session/viewers/viewer.ts";
import { EventStreamViewer } from "./event-stream-viewer.ts";
import { attachRate } from "./rate.ts";

const Params = z.object({ id: z.string() });
/** Number("") is 0, and "1e3" is no frame number. */
const Seq = z.string().check(z.regex(/^\d{1,15}$/));
const Query = z.object({ since: z.optional(Seq) });

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no", // nginx would hold events back
};

interface EventStreamOptions {
  hub: Hub;
  logins: Logins;
  limits: Limits;
  personOf(request: FastifyRequest): Viewer["person"];
}

export function eventStream(
  app: FastifyInstance,
  { hub, logins, limits, personOf }: EventStreamOptions,
): void {
  const checkRate = attachRate(app, limits);
  // A HEAD request would be a stream that sends nothing.
  app.get("/api/sessions/:id/events", { exposeHeadRoute: false }, async (request, reply) => {
    const since = sinceOf(request);
    await checkRate(request);
    const session = await hub.open(Params.parse(request.params).id);
    reply.hijack();
    const { raw } = reply;
    if (raw.destroyed) return; // the reader has gone: there will be no `close` event to detach it
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders }))
      if (value !== undefined) raw.setHeader(name, value);
    const viewer = new EventStreamViewer(raw, { key: randomUUID(), person: personOf(request) });
    const attachment = session.audience.newAttachment(viewer);
    const { principal } = request;
    const unsubscribe =
      principal?.kind === "login"
        ? logins.whenEnded(principal.login.id, () => viewer.close("login_ended"))
        : () => {};
    viewer.onClose(() => {
      unsubscribe();
      session.audience.detach(attachment);
    });
    await session.attach(attachment, since).catch((error: unknown) => {
      request.log.error({ err: error, session: session.id }, "an event stream failed");
      viewer.close("internal");
    });
  });
}

/** The number of the last frame that the reader has. `Last-Event-ID` is what its library sends when it reconnects, so it is newer. */
function sinceOf({ headers, query }: FastifyRequest): number | undefined {
  const read = Query.safeParse({ since: headers["last-event-id"] ?? Query.parse(query ?? {}).since });
  if (!read.success)
    throw new PatchbayError("bad_request", "Last-Event-ID and since must be the number of a frame.");
  return read.data.since === undefined ? undefined : Number(read.data.since);
}
