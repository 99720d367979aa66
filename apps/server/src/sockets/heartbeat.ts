// Keeps a socket alive, and ends one whose peer is gone without closing it.
import type { WebSocket } from "@fastify/websocket";

/** Proxies drop sockets that are idle for a minute. */
const heartbeatMs = 30_000;

/** Pings the peer, and terminates the socket when the last ping was not answered. */
export function startHeartbeat(socket: WebSocket): NodeJS.Timeout {
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
