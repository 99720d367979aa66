// Routes for logging in and out, and for the list of devices.
import { type LoginAnswer, LoginRequest, PatchbayError } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Access } from "../access/access.ts";
import { credentialsOf, setLoginCookie } from "../access/credentials.ts";
import { deviceLabel } from "../access/device-label.ts";
import { actorOf } from "../access/guard.ts";
import { codeValidMs } from "../access/login-codes.ts";
import { may } from "../access/policy.ts";
import { parse } from "./requests/parse.ts";

const Id = z.object({ id: z.string() });
const RevokeQuery = z.object({ others: z.optional(z.enum(["true", "false"])) });

interface LoginRoutesOptions {
  access: Access;
  base: string;
  loginMaxMs: number;
  /** Returns the login link of a code. */
  loginUrl(code: string): string;
}

export function loginRoutes(app: FastifyInstance, options: LoginRoutesOptions): void {
  const { access, base, loginMaxMs } = options;
  const { logins } = access;

  app.post("/api/login", may("login.create"), async (request, reply) => {
    const credentials = credentialsOf(request);
    access.checkLogin(parse(LoginRequest, request.body), credentials.address);
    // A browser that is logged in already stays one device, in all of its tabs.
    const known = access.loginOf(credentials);
    if (known !== undefined && credentials.pageSecret !== undefined) {
      await logins.renew(known.id);
      return reply.code(200).send(loginResponse(access, known.id, credentials.pageSecret));
    }
    const { id, cookie, secret } = await logins.create({
      label: deviceLabel(request.headers["user-agent"]),
      address: credentials.address,
      person: access.people.holder?.id ?? null, // codes and the token are the holder's
    });
    setLoginCookie(request, reply, { value: cookie, base, maxAgeMs: loginMaxMs });
    return reply.code(201).send(loginResponse(access, id, secret));
  });

  app.get("/api/login", may("account.read"), async (request) => {
    const id = ownLogin(request);
    return { login: id === null ? null : (logins.find(id) ?? null) };
  });

  app.post("/api/login/codes", may("login.link"), async (request, reply) => {
    if (request.principal?.kind !== "token")
      throw new PatchbayError("forbidden", 'Login links need the token. Run "patchbay login".');
    const code = access.codes.make();
    const expires_at = new Date(Date.now() + codeValidMs).toISOString();
    return reply
      .code(201)
      .header("cache-control", "no-store")
      .send({ code, login_url: options.loginUrl(code), expires_at });
  });

  app.post("/api/logout", may("account.change"), async (request, reply) => {
    const id = ownLogin(request);
    if (id === null)
      throw new PatchbayError(
        "bad_request",
        "You use a token, not a login, so there is nothing to log out of.",
      );
    await logins.revoke(id);
    setLoginCookie(request, reply, { value: null, base, maxAgeMs: 0 });
    return reply.code(204).send();
  });

  app.get("/api/logins", may("account.read"), async (request) => ({
    logins: access.loginsOf(actorOf(request).person, ownLogin(request)),
  }));

  app.delete("/api/logins", may("account.change"), async (request) => {
    const { others } = parse(RevokeQuery, request.query);
    const except = others === "true" ? ownLogin(request) : null;
    return { revoked: await access.endLogins(actorOf(request).person, except) };
  });

  app.delete("/api/logins/:id", may("account.change"), async (request, reply) => {
    const { id } = parse(Id, request.params);
    const isOwn = access.isLoginOf(id, actorOf(request).person);
    if (!isOwn || !(await logins.revoke(id)))
      throw new PatchbayError("not_found", "This login does not exist. It may have ended already.");
    return reply.code(204).send();
  });
}

const ownLogin = ({ principal }: FastifyRequest): string | null =>
  principal?.kind === "login" ? principal.login.id : null;

function loginResponse({ logins }: Access, id: string, secret: string): LoginAnswer {
  const login = logins.find(id);
  if (login === undefined) throw new PatchbayError("login_ended"); // revoked meanwhile
  return { login, secret };
}
