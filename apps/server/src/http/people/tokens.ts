// Routes for a person's own access tokens. The token itself is in one answer, and nowhere else.
import { PatchbayError, PersonName } from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { actorOf } from "../../access/guard.ts";
import type { PersonalTokens } from "../../access/personal-tokens.ts";
import { may, tokenScopes } from "../../access/policy.ts";
import type { TokenRecord } from "../../store/people/token-store.ts";
import { parse } from "../requests/parse.ts";

const Params = z.object({ id: z.string().check(z.maxLength(100)) });
const maxDays = 3_650;
const NewToken = z.strictObject({
  name: PersonName,
  scopes: z.array(z.enum(tokenScopes)).check(z.minLength(1)),
  /** Null: it does not expire. */
  expires_days: z._default(z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(maxDays))), 90),
});

const dayMs = 86_400_000;

export function tokenRoutes(app: FastifyInstance, tokens: PersonalTokens): void {
  app.get("/api/tokens", may("tokens.read"), async (request) => ({
    tokens: tokens.list(ownId(request)).map(shown),
  }));

  app.post("/api/tokens", may("account.change"), async (request, reply) => {
    const { name, scopes: wanted, expires_days } = parse(NewToken, request.body);
    const expiresAt = expires_days === null ? null : Date.now() + expires_days * dayMs;
    const { record, text } = await tokens.create(ownId(request), { name, scopes: wanted, expiresAt });
    return reply
      .code(201)
      .header("cache-control", "no-store")
      .send({ token: shown(record), secret: text });
  });

  app.delete("/api/tokens/:id", may("account.change"), async (request, reply) => {
    const { id } = parse(Params, request.params);
    if (tokens.find(id)?.person !== ownId(request))
      throw new PatchbayError("not_found", "You have no such token. It may have been deleted already.");
    await tokens.revoke([id]);
    return reply.code(204).send();
  });
}

function ownId(request: FastifyRequest): string {
  const { person } = actorOf(request);
  if (person === null)
    throw new PatchbayError(
      "bad_request",
      'This server has no people, so there is one token: "patchbay token" prints it. Add people to have tokens of their own.',
    );
  return person.id;
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

const shown = ({ hash: _hash, person: _person, created_at, used_at, expires_at, ...plain }: TokenRecord) => ({
  ...plain,
  created_at: iso(created_at),
  used_at: iso(used_at),
  expires_at: iso(expires_at),
});
