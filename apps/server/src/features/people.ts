import { Handle, PersonName, Role } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Accounts, NewInvitation } from "../access/accounts/accounts.ts";
import { tokenScopes } from "../access/policy.ts";
import { type LocalMethod, parseParams } from "../sockets/local/methods.ts";
import { feature } from "./feature.ts";

const Named = z.object({ handle: z.string().check(z.maxLength(100)) });
const Added = z.object({ handle: Handle, name: z.optional(PersonName), role: z._default(Role, "member") });
const Changed = z.extend(Named, { role: z.optional(Role), disabled: z.optional(z.boolean()) });
const maxDays = 3_650;
const NewToken = z.extend(Named, {
  name: PersonName,
  scopes: z.array(z.enum(tokenScopes)).check(z.minLength(1)),
  days: z.nullable(z.int().check(z.minimum(1), z.maximum(maxDays))),
});

/** `patchbay user`: people, managed from the machine that runs the server. */
export const peopleFeature = feature({
  name: "people",
  needs: ["access", "accounts", "logins", "localMethods"],
  adds: ["people/list", "people/add", "people/change", "people/reset", "people/token"],
  start({ access, accounts, logins, localMethods }) {
    const { people, tokens } = access;
    const find = (handle: string) => accounts.named(handle).id;
    const shown = ({ person, invitation }: Invited) => ({
      person,
      invitation: { link: logins.invitationUrl(invitation.secret), expires_at: invitation.expires_at },
    });
    const add = (name: string, call: LocalMethod["call"]): void =>
      void localMethods.set(name, { action: "people.change", call });
    add("people/list", async () => ({ people: people.list() }));
    add("people/add", async (params) => {
      const { handle, name = handle, role } = parseParams(Added, params);
      return shown(await accounts.add({ handle, name, role }));
    });
    add("people/change", async (params) => {
      const { handle, ...change } = parseParams(Changed, params);
      return { person: await accounts.update(find(handle), change) };
    });
    add("people/reset", async (params) =>
      shown(await accounts.reset(find(parseParams(Named, params).handle))),
    );
    add("people/token", async (params) => {
      const { handle, name, scopes, days } = parseParams(NewToken, params);
      const expiresAt = days === null ? null : Date.now() + days * 86_400_000;
      const { text } = await tokens.create(find(handle), { name, scopes, expiresAt });
      return { secret: text };
    });
    return {};
  },
});

type Invited = Awaited<ReturnType<Accounts["add"]>> & { invitation: NewInvitation };
