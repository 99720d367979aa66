// People of a team and their groups, one's own account, and who may do what in a session.
import { Invitation, PersonInfo, type Role, SecondFactor, type SessionAccess } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "./http/call.ts";

const TeamGroup = z.object({ id: z.string(), name: z.string(), members: z.array(z.string()) });
export type TeamGroup = z.infer<typeof TeamGroup>;

const Team = z.object({
  me: z.nullable(PersonInfo),
  people: z.array(PersonInfo),
  groups: z.array(TeamGroup),
});
export type Team = z.infer<typeof Team>;

const Invited = z.object({ person: PersonInfo, invitation: Invitation });
export type Invited = z.infer<typeof Invited>;

const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  created_at: z.string(),
  used_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
});
export type AccessToken = z.infer<typeof AccessToken>;

const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;

export const readTeam = (): Promise<Team> => call("/api/people", Team);

export const addPerson = (body: { handle: string; name: string; role: Role }): Promise<Invited> =>
  call("/api/people", Invited, { method: "POST", body });

/** A new link; what the person could log in with until now ends. */
export const resetPerson = (id: string): Promise<Invited> =>
  call(`${at("/api/people", id)}/invitation`, Invited, { method: "POST" });

export const changePerson = (id: string, body: { role?: Role; disabled?: boolean }): Promise<void> =>
  perform(at("/api/people", id), { method: "PATCH", body });

export const saveGroup = ({ id, ...body }: Omit<TeamGroup, "id"> & { id?: string }): Promise<void> =>
  perform(id === undefined ? "/api/groups" : at("/api/groups", id), {
    method: id === undefined ? "POST" : "PUT",
    body,
  });

export const removeGroup = (id: string): Promise<void> =>
  perform(at("/api/groups", id), { method: "DELETE" });

export const shareSession = (session: string, access: SessionAccess): Promise<void> =>
  perform(`${at("/api/sessions", session)}/access`, { method: "PUT", body: access });

const Account = z.object({
  account: z.nullable(z.object({ has_password: z.boolean(), has_totp: z.boolean() })),
});
export const readAccount = async (): Promise<z.infer<typeof Account>["account"]> =>
  (await call("/api/account", Account)).account;

export const renameAccount = (name: string): Promise<void> =>
  perform("/api/account", { method: "PATCH", body: { name } });

export const changePassword = (body: { old?: string; password: string }): Promise<void> =>
  perform("/api/account/password", { method: "PUT", body });

export const beginAuthenticator = (): Promise<SecondFactor> =>
  call("/api/account/totp", SecondFactor, { method: "POST" });

/** Returns the recovery codes. */
export const confirmAuthenticator = async (code: string): Promise<readonly string[]> => {
  const Codes = z.object({ recovery_codes: z.array(z.string()) });
  return (await call("/api/account/totp", Codes, { method: "PUT", body: { code } })).recovery_codes;
};

export const removeAuthenticator = (code: string): Promise<void> =>
  perform("/api/account/totp/removal", { method: "POST", body: { code } });

export const listTokens = async (): Promise<readonly AccessToken[]> =>
  (await call("/api/tokens", z.object({ tokens: z.array(AccessToken) }))).tokens;

/** The secret is in this answer, and nowhere else. */
export const createToken = async (body: {
  name: string;
  scopes: readonly string[];
  expires_days: number | null;
}): Promise<string> =>
  (await call("/api/tokens", z.object({ secret: z.string() }), { method: "POST", body })).secret;

export const revokeToken = (id: string): Promise<void> =>
  perform(at("/api/tokens", id), { method: "DELETE" });

/** A link that logs another device in as oneself, once. */
export const pairDevice = (): Promise<Invitation> =>
  call("/api/login/pairing", Invitation, { method: "POST" });
