// People of a server that a team uses. A server without people has one holder of its token, who may do everything. Not of the page's
// first load.
import * as z from "zod/mini";

/** From the fewest rights to the most. A guest works only in sessions that others share; an admin also manages people and the server. */
export const roles = ["guest", "member", "admin"] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

/** What a person types to log in, and what others write to name them. */
export const Handle = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "letters, digits, dots, dashes and underscores, at most 64"),
  );

export const PersonName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(100),
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, "no control characters"),
  );

/** `invited`: has not logged in yet; `disabled`: may not log in, and their sessions do not run. */
export const PersonState = z.enum(["invited", "active", "disabled"]);
export type PersonState = z.infer<typeof PersonState>;

/** A person as the other people of the team see them. */
export const PersonInfo = z.object({
  id: z.string(),
  handle: z.string(),
  name: z.string(),
  role: Role,
  state: PersonState,
  groups: z.array(z.string()),
  created_at: z.string(),
  /** The holder of the server's token, to whom belongs what names nobody. */
  is_holder: z.optional(z.boolean()),
});
export type PersonInfo = z.infer<typeof PersonInfo>;

export const PeopleGroup = z.object({ id: z.string(), name: z.string() });
export type PeopleGroup = z.infer<typeof PeopleGroup>;
