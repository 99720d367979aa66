// WebSockets in general: what every upgrade has in common, and the end of a socket with the login that opened it.
import websocket from "@fastify/websocket";
import { PatchbayError, socketProtocol } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import type { Access } from "../access/access.ts";
import type { Limits } from "../config/config-file.ts";
import { registerRates } from "./rate.ts";
import { closeSocket } from "./socket-viewer.ts";

/** Registered before the guard, which refuses upgrades: it has to know which requests are some. */
export async function webSockets(app: FastifyInstance, limits: Limits): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: limits.viewer_line_bytes,
      perMessageDeflate: false,
      // Of those that a page offers, one holds its secret, which must not be echoed.
      handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
    },
    errorHandler: (error, socket) =>
      closeSocket(socket, error instanceof PatchbayError ? error.code : "internal"),
  });
  await registerRates(app);
}

/** After the guard's hook, which says who it was: sockets of a login that ends are closed with it. */
export function endSocketsWithLogins(app: FastifyInstance, { logins }: Access): void {
  const loginOf = new WeakMap<object, string>();
  app.addHook("onRequest", async ({ ws, raw, principal }) => {
    if (ws && principal?.kind === "login") loginOf.set(raw, principal.login.id);
  });
  app.websocketServer.on("connection", (socket, raw) => {
    const login = loginOf.get(raw);
    if (login === undefined) return;
    const forget = logins.whenEnded(login, () => closeSocket(socket, "login_ended"));
    socket.once("close", forget);
  });
}
