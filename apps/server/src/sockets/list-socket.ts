// The list of sessions as a stream: one WebSocket per page, on which the server says which sessions have changed. A
// WebSocket and not an event stream, because a browser has only six HTTP connections for all its tabs.
import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import type { Limits } from "../config/config-file.ts";
import type { ListWatch } from "../session/hub/list-watch.ts";
import { beat } from "./heartbeat.ts";
import { attachRate } from "./rate.ts";
import { closeSocket } from "./socket-viewer.ts";

/** A page cannot see pings, so it is told now and then that the line lives. */
const aliveMs = 10_000;
const alive = `${JSON.stringify({ type: "alive" })}\n`;

/** Returns what takes leave of everybody who watches. */
export function listSocket(app: FastifyInstance, watch: ListWatch, limits: Limits): () => void {
  const checkRate = attachRate(app, limits);
  const open = new Set<WebSocket>();
  app.get("/api/sessions/events", { websocket: true }, async (socket, request) => {
    socket.on("error", () => {}); // `close` follows and says all we need
    await checkRate(request); // what it rejects with closes the socket
    if (socket.readyState !== socket.OPEN) return;
    const tell = (text: string): void => {
      // Whoever does not read comes back and asks for the whole list.
      if (socket.bufferedAmount > limits.viewer_buffer_bytes) closeSocket(socket, "too_slow");
      else socket.send(text);
    };
    const stop = watch.add(tell);
    open.add(socket);
    const timers = [beat(socket), setInterval(() => tell(alive), aliveMs)];
    socket.on("close", () => {
      stop();
      open.delete(socket);
      for (const timer of timers) clearInterval(timer);
    });
    tell(alive);
  });
  return () => {
    for (const socket of open) closeSocket(socket, "going_away");
  };
}
