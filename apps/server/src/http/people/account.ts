// Routes for one's own account: name, password, and pairing another device.
import { PatchbayError, PersonName, passwordLengths } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Access } from "../../access/access.ts";
import type { Accounts } from "../../access/accounts/accounts.ts";
import { credentialsOf } from "../../access/credentials.ts";
import { actorOf } from "../../access/guard.ts";
import { pairingValidMs } from "../../access/login-codes.ts";
import type { Person } from "../../access/people.ts";
import { may } from "../../access/policy.ts";
import { parse } from "../requests/parse.ts";

const Password = z.string().check(z.minLength(1), z.maxLength(2 * passwordLengths.max));
const NewName = z.strictObject({ name: PersonName });
const NewPassword = z.strictObject({ old: z.optional(Password), password: Password });

const Code = z.strictObject({ code: z.string().check(z.minLength(1), z.maxLength(100)) });

interface AccountRoutesOptions {
  access: Access;
  accounts: Accounts;
  base: string;
}

export function accountRoutes(app: FastifyInstance, { access, accounts, base }: AccountRoutesOptions): void {
  app.get("/api/account", may("account.read"), async (request) => {
    const { person } = actorOf(request);
    return {
      account:
        person === null
          ? null
          : { has_password: accounts.hasPassword(person), has_totp: accounts.secondFactors.has(person) },
    };
  });

  app.patch("/api/account", may("account.change"), async (request, reply) => {
    await accounts.update(ownPerson(request).id, parse(NewName, request.body));
    return reply.code(204).send();
  });

  app.put("/api/account/password", may("account.change"), async (request, reply) => {
    const { old, password } = parse(NewPassword, request.body);
    const { address } = credentialsOf(request);
    await accounts.changePassword(
      ownPerson(request),
      { old, password },
      { login: ownLogin(request), address },
    );
    return reply.code(204).send();
  });

  /** A second factor counts with a password only: who has none logs in by links, which need none. */
  app.post("/api/account/totp", may("account.change"), async (request, reply) => {
    const person = ownPerson(request);
    if (!accounts.hasPassword(person)) throw new PatchbayError("bad_request", "Set a password first.");
    if (accounts.secondFactors.has(person))
      throw new PatchbayError("bad_request", "You have an authenticator app already. Remove it first.");
    return reply.code(201).header("cache-control", "no-store").send(accounts.secondFactors.begin(person));
  });

  app.put("/api/account/totp", may("account.change"), async (request, reply) => {
    const { code } = parse(Code, request.body);
    const recovery_codes = await accounts.secondFactors.confirm(ownPerson(request), code);
    return reply.header("cache-control", "no-store").send({ recovery_codes });
  });

  app.post("/api/account/totp/removal", may("account.change"), async (request, reply) => {
    const { code } = parse(Code, request.body);
    const { address } = credentialsOf(request);
    await accounts.removeSecondFactor(ownPerson(request), code, { login: ownLogin(request), address });
    return reply.code(204).send();
  });

  app.post("/api/login/pairing", may("account.change"), async (request, reply) => {
    const { person } = actorOf(request);
    if (ownLogin(request) === null)
      throw new PatchbayError("forbidden", "Only a browser that is logged in can pair another device.");
    const code = access.codes.make(person?.id ?? null, pairingValidMs);
    const expires_at = new Date(Date.now() + pairingValidMs).toISOString();
    const link = `${request.protocol}://${request.host}${base}/#code=${code}`;
    return reply.code(201).header("cache-control", "no-store").send({ link, expires_at });
  });
}

function ownPerson(request: FastifyRequest): Person {
  const { person } = actorOf(request);
  if (person === null)
    throw new PatchbayError(
      "bad_request",
      "This server has no people, so there are no accounts. Invite your team first.",
    );
  return person;
}

const ownLogin = ({ principal }: FastifyRequest): string | null =>
  principal?.kind === "login" ? principal.login.id : null;
