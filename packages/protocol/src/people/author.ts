// Who caused what happens in a session.
import * as z from "zod/mini";

/** Who caused something: a person, a browser of the token's holder, or a program. */
export const Author = z.object({
  /** The id of the person; absent on a server without people. */
  person: z.optional(z.string()),
  /** The id of the login; absent for a program. */
  login: z.optional(z.string()),
  /** The person's name; without people "Firefox on Linux", or "a program". */
  label: z.string(),
});
export type Author = z.infer<typeof Author>;
