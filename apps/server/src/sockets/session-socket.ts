// The session socket: one WebSocket per viewer of a session, lines of JSON in both directions.
import { randomUUID } from "node:crypto";
import type { WebSocket } from "@fastify/websocket";
import { allowsNothing, PatchbayError, type ViewerCommand } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { httpSender } from "../access/access.ts";
import { type Action, commandActions, may } from "../access/policy.ts";
import type { Limits } from "../config/config-file.ts";
import { executeCommand } from "../session/commands/execute-command.ts";
import { failure, respond } from "../session/commands/respond.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { Session } from "../session/session.ts";
import { sendLine } from "../session/viewers/viewer.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { attachRate } from "./rate.ts";
import { readCommand } from "./read-command.ts";
import type { OpenGate, SocketGate } from "./socket-gate.ts";
import { closeSocket, SocketViewer } from "./socket-viewer.ts";

/** Others are those of prompts over HTTP, whose receipts are not for viewers. */
const isViewerKey = (key: string): boolean => !key.startsWith(httpSender);

const Query = z.object({
  since: z.optional(z.coerce.number().check(z.int(), z.nonnegative())),
  viewer: z.optional(z.string().check(z.minLength(1), z.maxLength(100), z.refine(isViewerKey))),
  deltas: z.optional(z.string()),
});
const Params = z.object({ id: z.string() });

export function sessionSocket(app: FastifyInstance, hub: Hub, limits: Limits, openGate: OpenGate): void {
  const checkRate = attachRate(app, limits);
  app.get("/api/sessions/:id/socket", { websocket: true, ...may("session.watch") }, (socket, request) => {
    const query = Query.safeParse(request.query);
    const params = Params.safeParse(request.params);
    const early = collectMessages(socket);
    const opened = checkRate(request).then(() => hub.open(params.data?.id ?? ""));
    opened.then(
      (session) => {
        if (socket.readyState !== socket.OPEN) return; // closed meanwhile: there will be no `close` event to detach it
        // A viewer whose `since` is not a number gets a snapshot.
        const key = query.data?.viewer ?? randomUUID();
        const gate = openGate(request);
        const { author } = gate.actor;
        const mergesDeltas = query.data?.deltas === "merged";
        const viewer = new SocketViewer(socket, request.raw.socket, { key, author, mergesDeltas });
        gate.closeUnlessAllowed(socket, "session.watch", session.id);
        const receive = serve({ socket, session, viewer, gate }, query.data?.since, (error) =>
          request.log.error({ err: error, session: session.id }, "a command failed"),
        );
        early.forwardTo((text) => {
          if (!receive(text)) return closeSocket(socket, "too_large");
          // While a viewer does not read its responses, the server reads no more of its commands.
          if (viewer.buffered() <= limits.viewer_buffer_bytes) return;
          socket.pause();
          void viewer.drained().then(() => socket.resume()); // never rejects
        });
      },
      (error: unknown) => {
        if (!(error instanceof PatchbayError))
          request.log.error({ err: error }, "a session could not be opened");
        closeSocket(socket, error instanceof PatchbayError ? error.code : "internal");
      },
    );
  });
}

/** Messages that arrive while the session is opened wait. The socket is paused, so they are bounded by one read. */
function collectMessages(socket: WebSocket): { forwardTo(receive: (text: string) => void): void } {
  const waiting: string[] = [];
  let receive = (text: string): void => {
    waiting.push(text);
    socket.pause();
  };
  socket.on("message", (data) => {
    // A viewer may send commands while the server closes its socket, for example when its login has ended. They are ignored.
    if (socket.readyState === socket.OPEN) receive(textOf(data));
  });
  socket.on("error", () => {}); // too long a line, or a reset: `close` follows
  return {
    forwardTo(receiver) {
      receive = receiver;
      for (const text of waiting) receiver(text);
      socket.resume();
    },
  };
}

interface Served {
  socket: WebSocket;
  session: Session;
  viewer: SocketViewer;
  gate: SocketGate;
}

/** Attaches the viewer. Returns the receiver of its messages, which returns false for one with too many lines. */
function serve(
  { socket, session, viewer, gate }: Served,
  since: number | undefined,
  onError: (error: unknown) => void,
): (text: string) => boolean {
  const attachment = session.audience.newAttachment(viewer);
  const heartbeat = startHeartbeat(socket);
  socket.on("close", () => {
    clearInterval(heartbeat);
    session.audience.detach(attachment);
  });
  session.attach(attachment, since).catch((error: unknown) => {
    onError(error);
    viewer.close("internal");
  });
  const receiveLine = (line: string): void => {
    if (line.trim() === "") return;
    const reading = readCommand(line);
    if (!reading.ok) return sendLine(viewer, reading.response);
    const { command } = reading;
    const refusal = gate.admit(command, actionOf(command, session), session.id);
    if (refusal === null) executeCommand(session, viewer, command)?.catch(onError);
    else sendLine(viewer, respond(command, failure(refusal.message)));
  };
  return (text) => eachLine(text, receiveLine);
}

/** An answer that allows something needs a right of its own. */
function actionOf(command: ViewerCommand, session: Session): Action {
  if (command.type !== "extension_ui_response") return commandActions[command.type];
  const question = session.pending.find(({ id }) => id === command.id);
  return question === undefined || allowsNothing(question, command) ? "session.answer" : "session.allow";
}

/** The lines of one message. A page sends one; a program that sends more than this does not wait for responses. */
const maxLines = 1_000;

/** False: there are too many lines, and the rest is not read. */
function eachLine(text: string, take: (line: string) => void): boolean {
  for (let start = 0, count = 0; start < text.length; count++) {
    if (count === maxLines) return false;
    const lf = text.indexOf("\n", start);
    take(text.slice(start, lf === -1 ? text.length : lf));
    start = lf === -1 ? text.length : lf + 1;
  }
  return true;
}

/** ws passes a message in one of three forms. */
function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return (data instanceof ArrayBuffer ? Buffer.from(data) : data).toString();
}
