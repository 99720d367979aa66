// Registers WebSockets, and closes the sockets of a login when it ends.
import websocket from "@fastify/websocket";
import { PatchbayError, socketProtocol } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import type { Access } from "../access/access.ts";
import type { Limits } from "../config/config-file.ts";
import { registerRates } from "./rate.ts";
import { closeSocket } from "./socket-viewer.ts";

/** Registered before the guard, because the guard must know which requests are upgrades. */
export async function webSockets(app: FastifyInstance, limits: Limits): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: limits.viewer_line_bytes,
      perMessageDeflate: false,
      // One of the protocols that a page offers contains its secret, which must not be echoed.
      handleProtocols: (offered) => (offered.has(socketProtocol) ? socketProtocol : false),
    },
    errorHandler: (error, socket) =>
      closeSocket(socket, error instanceof PatchbayError ? error.code : "internal"),
  });
  await registerRates(app);
}

/** Registered after the guard's hook, which sets the principal. */
export function endSocketsWithLogins(app: FastifyInstance, { logins }: Access): void {
  const loginOf = new WeakMap<object, string>();
  app.addHook("onRequest", async ({ ws, raw, principal }) => {
    if (ws && principal?.kind === "login") loginOf.set(raw, principal.login.id);
  });
  app.websocketServer.on("connection", (socket, raw) => {
    const login = loginOf.get(raw);
    if (login === undefined) return;
    const unsubscribe = logins.whenEnded(login, () => closeSocket(socket, "login_ended"));
    socket.once("close", unsubscribe);
  });
}
