// Puts the access checks in front of every route, and serves the login. Static files and /healthz
// need no token; everything needs a host and an origin that are ours.
import cookie from "@fastify/cookie";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Access, Asked } from "./access.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route may be used without the token. */
    open?: boolean;
  }
}

/** `base`: where a reverse proxy shows this server. */
export async function guard(
  app: FastifyInstance,
  access: Access,
  base: string,
  admitted: (request: FastifyRequest) => void,
): Promise<void> {
  await app.register(cookie);
  app.addHook("onRequest", async (request, reply) => {
    const asked = whatIsAsked(request);
    access.checkPlace(asked);
    if (await login(request, reply, access, base)) return reply;
    if (request.routeOptions.config.open === true) return undefined;
    access.checkToken(asked);
    admitted(request);
    return undefined;
  });
}

/** Cookies ignore ports, so each port has a name of its own: two servers on one machine can be open. */
const cookieName = (request: FastifyRequest): string => `patchbay_${request.socket.localPort ?? 0}`;

function whatIsAsked(request: FastifyRequest): Asked {
  return {
    host: request.host, // what a trusted proxy was asked for, or what we were
    origin: request.headers.origin,
    authorization: request.headers.authorization,
    cookie: request.cookies[cookieName(request)],
  };
}

/** An address of a request has no host; any will do to read the rest. */
const ourselves = "http://patchbay";

/** Opening `/?token=…` sets the cookie and goes on to the same page without the token in its address. */
async function login(
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  base: string,
): Promise<boolean> {
  if (request.method !== "GET") return false;
  if (!URL.canParse(request.url, ourselves)) throw new PatchbayError("bad_request", "That is no address.");
  const url = new URL(request.url, ourselves);
  const token = url.searchParams.get("token");
  if (token === null || url.pathname.startsWith("/api/")) return false;
  if (!access.isToken(token)) {
    reply.code(401); // the page is served all the same, and says what is wrong
    return false;
  }
  url.searchParams.delete("token");
  reply.setCookie(cookieName(request), access.cookieValue, {
    path: base === "" ? "/" : base,
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
    maxAge: 60 * 60 * 24 * 90,
  });
  reply.redirect(base + url.pathname + url.search, 303);
  return true;
}
