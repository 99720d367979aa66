// The audit: who did what, when, from where, and with which result.
import * as z from "zod/mini";

export const AuditEntry = z.object({
  /** From 1, without gaps. */
  seq: z.number(),
  time: z.string(),
  /** The id of the person; null: somebody who is not logged in. */
  person: z.nullable(z.string()),
  /** How they called themselves then. */
  author: z.string(),
  /** How they logged in: `login`, `token`, `personal` or `local`, with the id where there is one. */
  via: z.string(),
  address: z.string(),
  action: z.string(),
  /** The session, person or other thing; empty: the server. */
  target: z.string(),
  /** `ok`, or the code of the error. */
  result: z.string(),
  detail: z.record(z.string(), z.unknown()),
  /** Of this entry and the hash of the one before it. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
