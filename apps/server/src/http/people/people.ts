// Routes for people and their groups, and for who may do what in a session.
import {
  Handle,
  type Invitation,
  PatchbayError,
  type PersonInfo,
  PersonName,
  Role,
  SessionAccess,
} from "@patchbay/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import type { Access } from "../../access/access.ts";
import type { Accounts, NewInvitation } from "../../access/accounts/accounts.ts";
import { note } from "../../access/audit/audited.ts";
import { actorOf } from "../../access/guard.ts";
import type { Person } from "../../access/people.ts";
import { may } from "../../access/policy.ts";
import type { Rights } from "../../access/rights.ts";
import type { Hub } from "../../session/hub/hub.ts";
import { parse } from "../requests/parse.ts";

const Params = z.object({ id: z.string().check(z.maxLength(100)) });
const NewPerson = z.strictObject({ handle: Handle, name: PersonName, role: z._default(Role, "member") });
const UpdatePerson = z.strictObject({
  handle: z.optional(Handle),
  name: z.optional(PersonName),
  role: z.optional(Role),
  disabled: z.optional(z.boolean()),
});
const GroupBody = z.strictObject({
  name: PersonName,
  members: z._default(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(10_000)), []),
});

interface PeopleParts {
  access: Access;
  accounts: Accounts;
  rights: Rights;
  hub: Hub;
  /** The path of this server behind a reverse proxy. */
  base: string;
}

export function peopleRoutes(
  app: FastifyInstance,
  { access, accounts, rights, hub, base }: PeopleParts,
): void {
  const { people } = access;

  app.get("/api/people", may("people.list"), async (request) => {
    const { person } = actorOf(request);
    return {
      me: person === null ? null : shown(person),
      people: people.list().map(shown),
      groups: people.groups(),
    };
  });

  app.post("/api/people", may("people.change"), async (request, reply) => {
    const wanted = parse(NewPerson, request.body);
    note(request, wanted);
    const { person, invitation } = await accounts.add(wanted);
    return reply
      .code(201)
      .header("cache-control", "no-store")
      .send({ person: shown(person), invitation: linkOf(request, invitation, base) });
  });

  app.post("/api/people/:id/invitation", may("people.change"), async (request, reply) => {
    const { person, invitation } = await accounts.reset(parse(Params, request.params).id);
    return reply
      .code(201)
      .header("cache-control", "no-store")
      .send({ person: shown(person), invitation: linkOf(request, invitation, base) });
  });

  app.patch("/api/people/:id", may("people.change"), async (request) => {
    const { id } = parse(Params, request.params);
    const wanted = parse(UpdatePerson, request.body);
    note(request, wanted);
    return { person: shown(await accounts.update(id, wanted)) };
  });

  app.post("/api/groups", may("people.change"), async (request, reply) => {
    const group = await people.saveGroup(parse(GroupBody, request.body));
    return reply.code(201).send({ group });
  });

  app.put("/api/groups/:id", may("people.change"), async (request) => {
    const { id } = parse(Params, request.params);
    return { group: await people.saveGroup({ id, ...parse(GroupBody, request.body) }) };
  });

  app.delete("/api/groups/:id", may("people.change"), async (request, reply) => {
    await people.removeGroup(parse(Params, request.params).id);
    return reply.code(204).send();
  });

  app.put("/api/sessions/:id/access", may("session.share"), async (request) => {
    const { id } = parse(Params, request.params);
    if (!people.isTeam)
      throw new PatchbayError(
        "bad_request",
        "Add people first: a server without people has nobody to share with.",
      );
    const wanted = checked(parse(SessionAccess, request.body), access);
    note(request, { access: wanted });
    const session = await hub.share(id, { access: wanted });
    rights.changed(id);
    return { session };
  });
}

const shown = ({ isHolder, ...person }: Person): PersonInfo => ({
  ...person,
  ...(isHolder ? { is_holder: true } : {}),
});

/** A grant to nobody is a mistake. */
function checked(wanted: SessionAccess, { people }: Access): SessionAccess {
  const groups = new Set(people.groups().map(({ id }) => id));
  for (const { to } of wanted.grants)
    if ("person" in to ? people.find(to.person) === undefined : !groups.has(to.group))
      throw new PatchbayError("bad_request", "One of these people or groups does not exist.");
  return wanted;
}

/** At the address where the admin uses this server, which the guard has checked. After the #: no server or proxy sees it. */
const linkOf = (
  { protocol, host }: FastifyRequest,
  { secret, expires_at }: NewInvitation,
  base: string,
): Invitation => ({ link: `${protocol}://${host}${base}/#invitation=${secret}`, expires_at });
