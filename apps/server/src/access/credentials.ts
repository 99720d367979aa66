// Reads the credentials of a request: the bearer token of a program; the cookie of a page and its secret, in a header or in a
// WebSocket's subprotocols. Never from the address, because addresses are logged and shared.
import { isIP } from "node:net";
import { pageSecretHeader, socketProtocol } from "@patchbay/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Credentials } from "./access.ts";

/**
 * Cookies ignore ports, so the name contains them: the port that the browser uses, and the server's port if a tunnel or a proxy is
 * between. A browser can then use two servers of one machine, and one server at two addresses.
 */
function cookieName(request: FastifyRequest): string {
  const own = String(request.socket.localPort ?? 0);
  const seen = /:(\d+)$/.exec(request.host)?.[1] ?? (request.protocol === "https" ? "443" : "80");
  return seen === own ? `patchbay_${own}` : `patchbay_${seen}_${own}`;
}

/** The cookie of `accounts/known-device.ts`. */
export const deviceCookieOf = (request: FastifyRequest): string | undefined =>
  request.cookies[`${cookieName(request)}_device`];

const subprotocolStart = `${socketProtocol}.`;

export function credentialsOf(request: FastifyRequest): Credentials {
  return {
    bearer: /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1],
    cookie: request.cookies[cookieName(request)],
    pageSecret: request.ws ? subprotocolSecret(request) : headerSecret(request),
    address: addressOf(request),
  };
}

/** A proxy may forward anything. The address is used as a key and is shown to people, so it must be valid. */
export const addressOf = ({ ip, socket }: FastifyRequest): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? "") : ip;

function headerSecret(request: FastifyRequest): string | undefined {
  const given = request.headers[pageSecretHeader];
  return typeof given === "string" && given !== "" ? given : undefined;
}

function subprotocolSecret(request: FastifyRequest): string | undefined {
  return request.headers["sec-websocket-protocol"]
    ?.split(",")
    .map((name) => name.trim())
    .find((name) => name.startsWith(subprotocolStart))
    ?.slice(subprotocolStart.length);
}

/** `base`: the path of this server behind a reverse proxy. `value` null: removes the cookie. */
export function setLoginCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { value, base, maxAgeMs }: { value: string | null; base: string; maxAgeMs: number },
): void {
  setCookie(request, reply, { name: cookieName(request), value, base, maxAgeMs });
}

/** Browsers keep a cookie for 400 days at most. */
const deviceMs = 400 * 86_400_000;

export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  base: string,
): void {
  setCookie(request, reply, { name: `${cookieName(request)}_device`, value, base, maxAgeMs: deviceMs });
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, base, maxAgeMs }: { name: string; value: string | null; base: string; maxAgeMs: number },
): void {
  reply.header("cache-control", "no-store");
  reply.setCookie(name, value ?? "", {
    path: base === "" ? "/" : base,
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
    maxAge: value === null ? 0 : Math.floor(maxAgeMs / 1_000),
  });
}
