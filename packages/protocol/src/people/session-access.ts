// Who may do what in a session. Its owner may do everything; others have the best of the rights that they are given.
import * as z from "zod/mini";

/**
 * From the least to the most. `watch`: read the transcript; `drive`: prompt, steer, queue, stop, deny; `approve`: also allow what the agent
 * asks leave for; `own`: also delete it and share it. A session acts as its owner, whoever drives it.
 */
export const rights = ["watch", "drive", "approve", "own"] as const;
export type Right = (typeof rights)[number];

/** A right that an owner gives to one person or one group. */
const Grant = z.strictObject({
  to: z.union([z.strictObject({ person: z.string() }), z.strictObject({ group: z.string() })]),
  right: z.enum(["watch", "drive", "approve"]),
});

/** More would make every message about the session long. */
const maxGrants = 200;

export const SessionAccess = z.strictObject({
  /** Everybody of the team except guests; null: the session is private. */
  team: z.nullable(z.enum(["watch", "drive"])),
  grants: z.array(Grant).check(z.maxLength(maxGrants)),
});
export type SessionAccess = z.infer<typeof SessionAccess>;

export const privateAccess: SessionAccess = { team: null, grants: [] };
