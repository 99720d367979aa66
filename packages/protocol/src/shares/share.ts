// Share links: a session for readers without an account. The server leaves out what the owner hides; the page never has it.
import * as z from "zod/mini";
import { Usage } from "../costs/usage.ts";
import { Message } from "../events/message.ts";
import { Mark } from "../transcript/transcript.ts";

/** What an owner may hide. Hiding paths hides what tools were given and wrote, too: both are full of them. */
export const hideable = ["tool_output", "paths", "costs", "thinking", "names"] as const;
export const Hideable = z.enum(hideable);
export type Hideable = z.infer<typeof Hideable>;

const Hidden = z.array(Hideable).check(z.maxLength(hideable.length));

const maxDays = 3_650;

/** `live`: as it is now, whenever it is read; `frozen`: as it was when the link was made. */
export const ShareMode = z.enum(["live", "frozen"]);
export type ShareMode = z.infer<typeof ShareMode>;

export const NewShare = z.strictObject({
  mode: ShareMode,
  hidden: Hidden,
  /** Null: it ends when it is revoked. */
  expires_days: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(maxDays))),
  /** Frozen: with this many messages, counted from the first; absent: with all there are. */
  messages: z.optional(z.number().check(z.int(), z.nonnegative())),
});
export type NewShare = z.infer<typeof NewShare>;

/** A link as its owner sees it: without the secret, which only the answer that made it has. */
export const ShareInfo = z.object({
  id: z.string(),
  session: z.string(),
  mode: ShareMode,
  hidden: Hidden,
  /** The number of the newest frame that a frozen one has; null: it is live. */
  up_to_seq: z.nullable(z.number()),
  created_at: z.string(),
  /** Null: it does not expire. */
  expires_at: z.nullable(z.string()),
  /** How often it was opened. */
  views: z.number(),
  last_viewed_at: z.nullable(z.string()),
});
export type ShareInfo = z.infer<typeof ShareInfo>;

/** What a visitor is sent, and all of it. */
export const SharedSession = z.object({
  session: z.object({
    name: z.string(),
    worker: z.string(),
    provider: z.string(),
    model: z.string(),
    created_at: z.string(),
    /** Absent: hidden. */
    cwd: z.optional(z.string()),
  }),
  mode: ShareMode,
  hidden: Hidden,
  /** How many messages came before those that are here. */
  earlier: z.number(),
  /** A turn is running. */
  working: z.boolean(),
  messages: z.array(Message),
  marks: z.array(Mark),
  /** Null: hidden. */
  usage: z.nullable(Usage),
});
export type SharedSession = z.infer<typeof SharedSession>;

/** The header in which a visitor's page sends the secret of its link. Not the address, which is logged and sent on. */
export const shareSecretHeader = "x-share-secret";
