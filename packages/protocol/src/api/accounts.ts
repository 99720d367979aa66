// Accounts of people: invitations and passwords. Not of the page's first load.
import * as z from "zod/mini";

/** What a person may choose as their password. What is too common is refused by the server. */
export const passwordLengths = { min: 10, max: 500 } as const;

/** How people can log in here; known without a login. */
export const LoginMethods = z.object({
  /** By name and password: this server has people. */
  password: z.boolean(),
});
export type LoginMethods = z.infer<typeof LoginMethods>;

/** Whom an invitation is for. */
export const InvitedPerson = z.object({ handle: z.string(), name: z.string() });
export type InvitedPerson = z.infer<typeof InvitedPerson>;

/** A link with which a person chooses a password, once. */
export const Invitation = z.object({ link: z.string(), expires_at: z.string() });
export type Invitation = z.infer<typeof Invitation>;

/** A key for an authenticator app: to type, and as what its camera reads. */
export const SecondFactor = z.object({ secret: z.string(), uri: z.string() });
export type SecondFactor = z.infer<typeof SecondFactor>;
