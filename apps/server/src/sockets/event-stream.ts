// A session as server-sent events, for programs that do not speak WebSocket. The reader is a viewer like any other, so it has the
// same replay, bounds and backpressure; it cannot send commands.
import { randomUUID } from "node:crypto";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Logins } from "../access/logins.ts";
import { may } from "../access/policy.ts";
import type { Limits } from "../config/config-file.ts";
import type { Hub } from "../session/hub/hub.ts";
import { EventStreamViewer } from "./event-stream-viewer.ts";
import { attachRate } from "./rate.ts";
import type { OpenGate } from "./socket-gate.ts";

const Params = z.object({ id: z.string() });
/** Number("") is 0, and "1e3" is no frame number. */
const Since = z.optional(z.string().check(z.regex(/^\d{1,15}$/)));
const Query = z.object({ since: z.optional(z.unknown()) });

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no", // nginx would hold events back
};

interface EventStreamOptions {
  hub: Hub;
  logins: Logins;
  limits: Limits;
  /** Counts the stream among the calls that stay open; throws when there are too many. */
  calls: { enter(): () => void };
  openGate: OpenGate;
}

export function eventStream(
  app: FastifyInstance,
  { hub, logins, limits, calls, openGate }: EventStreamOptions,
): void {
  const checkRate = attachRate(app, limits);
  // A HEAD request would be a stream that sends nothing.
  const options = { exposeHeadRoute: false, ...may("session.watch") };
  app.get("/api/sessions/:id/events", options, async (request, reply) => {
    const since = sinceOf(request);
    await checkRate(request);
    const session = await hub.open(Params.parse(request.params).id);
    const { raw } = reply;
    if (raw.destroyed) return reply.hijack(); // the reader has gone: there will be no `close` event to detach it
    const left = calls.enter();
    raw.once("close", left);
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders }))
      if (value !== undefined) raw.setHeader(name, value);
    const gate = openGate(request);
    const viewer = new EventStreamViewer(raw, { key: randomUUID(), author: gate.actor.author });
    const attachment = session.audience.newAttachment(viewer);
    raw.once("close", () => session.audience.detach(attachment));
    raw.once(
      "close",
      gate.whenRefused("session.watch", session.id, (code) => viewer.close(code)),
    );
    const { principal } = request;
    if (principal?.kind === "login")
      raw.once(
        "close",
        logins.whenEnded(principal.login.id, () => viewer.close("login_ended")),
      );
    await session.attach(attachment, since).catch((error: unknown) => {
      request.log.error({ err: error, session: session.id }, "an event stream failed");
      viewer.close("internal");
    });
    return reply;
  });
}

/** The number of the last frame that the reader has. `Last-Event-ID` is what its library sends when it reconnects, so it is newer. */
function sinceOf({ headers, query }: FastifyRequest): number | undefined {
  const read = Since.safeParse(headers["last-event-id"] ?? Query.safeParse(query).data?.since);
  if (!read.success)
    throw new PatchbayError("bad_request", "Last-Event-ID and since must be the number of a frame.");
  return read.data === undefined ? undefined : Number(read.data);
}
