// The list of sessions as a stream: one WebSocket per page, on which the server sends the sessions that changed. Not an event stream,
// because a browser has only six HTTP connections for all its tabs.
import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { may } from "../access/policy.ts";
import type { Limits } from "../config/config-file.ts";
import type { ListWatch } from "../session/hub/list-watch.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { attachRate } from "./rate.ts";
import type { OpenGate } from "./socket-gate.ts";
import { closeSocket } from "./socket-viewer.ts";

/** A page cannot see pings, so the server sends it a line at this interval. */
const aliveMs = 10_000;
const alive = `${JSON.stringify({ type: "alive" })}\n`;

/** Returns a function that closes all sockets when the server ends. */
export function listSocket(
  app: FastifyInstance,
  watch: ListWatch,
  limits: Limits,
  openGate: OpenGate,
): () => void {
  const checkRate = attachRate(app, limits);
  const open = new Set<WebSocket>();
  app.get("/api/sessions/events", { websocket: true, ...may("sessions.list") }, async (socket, request) => {
    socket.on("error", () => {}); // `close` follows
    await checkRate(request); // its rejection closes the socket
    if (socket.readyState !== socket.OPEN) return;
    const send = (text: string): void => {
      // A page that does not read is closed. It reconnects and gets the whole list.
      if (socket.bufferedAmount > limits.viewer_buffer_bytes) closeSocket(socket, "too_slow");
      else socket.send(text);
    };
    const gate = openGate(request);
    const hasPeople = gate.actor.person !== null;
    const stop = watch.add(hasPeople ? { send, sees: (session) => gate.sees(session) } : { send });
    gate.closeUnlessAllowed(socket, "sessions.list");
    open.add(socket);
    const timers = [startHeartbeat(socket), setInterval(() => send(alive), aliveMs)];
    socket.on("close", () => {
      stop();
      open.delete(socket);
      for (const timer of timers) clearInterval(timer);
    });
    send(alive);
  });
  return () => {
    for (const socket of open) closeSocket(socket, "going_away");
  };
}
