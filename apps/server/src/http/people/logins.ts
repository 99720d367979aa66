// Routes for logging in and out, and for the list of devices.
import {
  type InvitedPerson,
  type LoginAnswer,
  type LoginMethods,
  LoginRequest,
  PatchbayError,
} from "@patchbay/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Access } from "../../access/access.ts";
import type { Accounts } from "../../access/accounts/accounts.ts";
import { note } from "../../access/audit/audited.ts";
import { credentialsOf, deviceCookieOf, setDeviceCookie, setLoginCookie } from "../../access/credentials.ts";
import { deviceLabel } from "../../access/device-label.ts";
import { actorOf } from "../../access/guard.ts";
import { codeValidMs } from "../../access/login-codes.ts";
import { may } from "../../access/policy.ts";
import { parse } from "../requests/parse.ts";

const Id = z.object({ id: z.string() });
const InvitationBody = z.strictObject({ invitation: z.string().check(z.minLength(1), z.maxLength(1_000)) });
const RevokeQuery = z.object({ others: z.optional(z.enum(["true", "false"])) });

interface LoginRoutesOptions {
  access: Access;
  accounts: Accounts;
  base: string;
  loginMaxMs: number;
  /** Returns the login link of a code. */
  loginUrl(code: string): string;
}

export function loginRoutes(app: FastifyInstance, options: LoginRoutesOptions): void {
  const { access, accounts, base, loginMaxMs } = options;
  const { logins } = access;

  app.post("/api/login", may("login.create"), async (request, reply) => {
    const given = parse(LoginRequest, request.body);
    const credentials = credentialsOf(request);
    note(request, { how: howOf(given) });
    if ("password" in given) {
      const { person, isStill } =
        "handle" in given
          ? await accounts.logIn(given, { address: credentials.address, device: deviceCookieOf(request) })
          : await accounts.accept(given, credentials.address);
      note(request, { person: person.id });
      const answer = await newLogin(request, reply, person.id);
      if (!isStill()) {
        await logins.revoke(answer.login.id); // the person was reset or disabled meanwhile
        throw new PatchbayError("login_ended");
      }
      setDeviceCookie(request, reply, accounts.deviceOf(person), base);
      return reply.code(201).send(answer);
    }
    const known = access.loginOf(credentials);
    if ("code" in given && known !== undefined) checkSamePerson(given.code, known.id);
    const person = access.checkLogin(given, credentials.address);
    note(request, { person });
    // A browser that is logged in already stays one device, in all of its tabs.
    if (known !== undefined && credentials.pageSecret !== undefined && isOf(known.id, person)) {
      await logins.renew(known.id);
      return reply.code(200).send(loginResponse(access, known.id, credentials.pageSecret));
    }
    return reply.code(201).send(await newLogin(request, reply, person));
  });

  /** A link of somebody else must not switch a browser to their account unseen, where its person would go on writing. The code stays valid. */
  const checkSamePerson = (code: string, login: string): void => {
    const person = access.codes.personOf(code);
    if (person === undefined || isOf(login, person ?? access.people.holder?.id ?? null)) return;
    throw new PatchbayError(
      "forbidden",
      "This login link is for another account than the one that is logged in here. Log out first to use it.",
    );
  };

  const isOf = (login: string, person: string | null): boolean =>
    access.isLoginOf(login, person === null ? null : (access.people.find(person) ?? null));

  /** A login has secrets of its own: one that another person, or a stranger, has put into the browser ends. */
  const newLogin = async (
    request: FastifyRequest,
    reply: FastifyReply,
    person: string | null,
  ): Promise<LoginAnswer> => {
    const credentials = credentialsOf(request);
    const known = access.loginOf(credentials);
    const { id, cookie, secret } = await logins.create({
      label: deviceLabel(request.headers["user-agent"]),
      address: credentials.address,
      person,
    });
    if (known !== undefined) await logins.revoke(known.id);
    setLoginCookie(request, reply, { value: cookie, base, maxAgeMs: loginMaxMs });
    return loginResponse(access, id, secret);
  };

  app.get("/api/login/methods", may("login.methods"), async (_request, reply): Promise<LoginMethods> => {
    reply.header("cache-control", "private, max-age=30");
    return { password: access.people.isTeam };
  });

  app.post("/api/login/invitation", may("login.create"), async (request, reply): Promise<InvitedPerson> => {
    reply.header("cache-control", "no-store");
    return accounts.invited(parse(InvitationBody, request.body).invitation, credentialsOf(request).address);
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

/** For the audit. What was typed is not in it: a password may stand in the wrong field. */
const howOf = (given: LoginRequest): string =>
  "handle" in given ? "password" : "invitation" in given ? "invitation" : "code" in given ? "link" : "token";

const ownLogin = ({ principal }: FastifyRequest): string | null =>
  principal?.kind === "login" ? principal.login.id : null;

function loginResponse({ logins }: Access, id: string, secret: string): LoginAnswer {
  const login = logins.find(id);
  if (login === undefined) throw new PatchbayError("login_ended"); // revoked meanwhile
  return { login, secret };
}
