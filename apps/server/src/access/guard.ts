// Checks every request: the host and the origin must be allowed, and the sender must be logged in unless the route is open. It refuses
// WebSocket upgrades with plain HTTP before they happen, so that no message of an unknown sender is read.
import cookie from "@fastify/cookie";
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import type { Access, Principal } from "./access.ts";
import { credentialsOf, setLoginCookie } from "./credentials.ts";
import type { HostCheck } from "./host-check.ts";
import { isLoopback } from "./network/exposure.ts";
import { type Action, ruleOf } from "./policy.ts";
import type { Actor, Rights } from "./rights.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the caller must be allowed to do. */
    action?: Action;
    /** The route may be upgraded to a WebSocket. */
    socket?: boolean;
  }
  interface FastifyRequest {
    /** How the sender logged in; null only on routes that anyone may use. */
    principal: Principal | null;
    /** Who acts; null only on routes that anyone may use. */
    actor: Actor | null;
  }
}

/** A route and its rule. */
export interface GuardedRoute {
  method: string;
  url: string;
  action: Action;
  /** It needs no login. */
  open: boolean;
  socket: boolean;
}

interface GuardOptions {
  access: Access;
  rights: Rights;
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
  const { access, rights, hosts, base, loginMaxMs, admitted } = options;
  const routes: GuardedRoute[] = [];
  await app.register(cookie);
  app.decorateRequest("principal", null);
  app.decorateRequest("actor", null);
  app.addHook("onRoute", (route) => {
    const socket = route.websocket === true;
    route.config = { ...route.config, socket };
    routes.push(...guardedRoutes(route, socket));
  });
  app.addHook("onRequest", async (request, reply) => {
    const { host, protocol, headers } = request;
    hosts.check({ host, protocol, origin: headers.origin });
    checkFetchSite(request);
    // The header applies to all ports of a host. On loopback it would break development servers on plain http.
    if (isEncrypted(request) && !isLoopback(request.hostname.replace(/^\[|\]$/g, "")))
      reply.header("strict-transport-security", strictTransport);
    const { action, socket = false } = request.routeOptions.config;
    if (request.ws && !socket) throw new PatchbayError("not_found");
    if (action !== undefined && isForAnyone(action)) return;
    const principal = access.authenticate(credentialsOf(request));
    const actor = access.actorOf(principal);
    request.principal = principal;
    request.actor = actor;
    admitted(request);
    if (principal.kind === "login" && !request.ws) {
      const value = await access.logins.rotate(principal.login);
      if (value !== undefined) setLoginCookie(request, reply, { value, base, maxAgeMs: loginMaxMs });
    }
    if (action !== undefined) rights.check(actor, action, sessionOf(request, action)); // an address without a route is answered 404
  });
  return () => routes;
}

/** Throws for a route without a rule: the server must not start with one. */
function guardedRoutes({ method, url, config }: RouteOptions, socket: boolean): GuardedRoute[] {
  const action = config?.action;
  if (action === undefined)
    throw new Error(`The route ${String(method)} ${url} names no action of the policy.`);
  return [method].flat().map((each) => ({ method: each, url, action, open: isForAnyone(action), socket }));
}

const isForAnyone = (action: Action): boolean => {
  const rule = ruleOf(action);
  return "who" in rule && rule.who === "anyone";
};

/** The session of the address, for an action that needs a right in one. */
function sessionOf({ params }: FastifyRequest, action: Action): string | undefined {
  if (!("right" in ruleOf(action))) return undefined;
  const id = typeof params === "object" && params !== null && "id" in params ? params.id : undefined;
  return typeof id === "string" ? id : undefined;
}

/** Who acts on a route that needs a login. */
export function actorOf({ actor }: FastifyRequest): Actor {
  if (actor === null) throw new PatchbayError("not_logged_in");
  return actor;
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
