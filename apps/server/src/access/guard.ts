// Checks every request: the host and the origin must be allowed, and the sender must be logged in unless the route is open. It refuses
// WebSocket upgrades with plain HTTP before they happen, so that no message of an unknown sender is read.
import cookie from "@fastify/cookie";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import type { Access, Principal } from "./access.ts";
import { credentialsOf, setLoginCookie } from "./credentials.ts";
import type { HostCheck } from "./host-check.ts";
import { isLoopback } from "./network/exposure.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route may be used without a login. */
    open?: boolean;
    /** The route may be upgraded to a WebSocket. */
    socket?: boolean;
  }
  interface FastifyRequest {
    /** The sender; null only on open routes. */
    principal: Principal | null;
  }
}

/** A route and its rule. */
export interface GuardedRoute {
  method: string;
  url: string;
  open: boolean;
  socket: boolean;
}

interface GuardOptions {
  access: Access;
  hosts: HostCheck;
  /** The path of this server behind a reverse proxy. */
  base: string;
  loginMaxMs: number;
  /** Called for each request whose sender is logged in. */
  admitted(request: FastifyRequest): void;
}

/** One year, as browsers require. */
const strictTransport = "max-age=31536000";

/** Returns a function that lists the guarded routes, to be called when all are registered. */
export async function guard(app: FastifyInstance, options: GuardOptions): Promise<() => GuardedRoute[]> {
  const { access, hosts, base, loginMaxMs, admitted } = options;
  const routes: RouteOptions[] = [];
  await app.register(cookie);
  app.decorateRequest("principal", null);
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, socket: route.websocket === true };
    routes.push(route);
  });
  app.addHook("onRequest", async (request, reply) => {
    const { host, protocol, headers } = request;
    hosts.check({ host, protocol, origin: headers.origin });
    checkFetchSite(request);
    // The header applies to all ports of a host. On loopback it would break development servers on plain http.
    if (isEncrypted(request) && !isLoopback(request.hostname.replace(/^\[|\]$/g, "")))
      reply.header("strict-transport-security", strictTransport);
    const { open = false, socket = false } = request.routeOptions.config;
    if (request.ws && !socket) throw new PatchbayError("not_found");
    if (open) return;
    const principal = access.authenticate(credentialsOf(request));
    request.principal = principal;
    admitted(request);
    if (principal.kind !== "login" || request.ws) return;
    const value = await access.logins.rotate(principal.login);
    if (value !== undefined) setLoginCookie(request, reply, { value, base, maxAgeMs: loginMaxMs });
  });
  return () =>
    routes.flatMap(({ method, url, config }) =>
      [method]
        .flat()
        .map((each) => ({ method: each, url, open: config?.open === true, socket: config?.socket === true })),
    );
}

/** TLS of this server. Behind a proxy, the proxy sets the header. */
const isEncrypted = ({ raw }: FastifyRequest): boolean =>
  "encrypted" in raw.socket && raw.socket.encrypted === true;

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** A second check besides the origin: browsers set this header to the source of a request, and pages cannot change it. */
function checkFetchSite(request: FastifyRequest): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  if (request.ws || !readingMethods.has(request.method))
    throw new PatchbayError("forbidden", "Requests from other sites are not allowed.");
}
