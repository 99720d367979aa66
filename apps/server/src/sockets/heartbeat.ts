// Keeps a socket alive, and ends one whose peer is gone without a word.
import type { WebSocket } from "@fastify/websocket";

/** Proxies drop sockets that say nothing for a minute. */
const heartbeatMs = 30_000;

/** Pings; a peer that has not answered the last one is gone. */
export function beat(socket: WebSocket): NodeJS.Timeout {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  return setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, heartbeatMs);
}
