// What the daemon answers and tells, as far as it is read here; newer fields are passed over.
import * as z from "zod/mini";

export const Hello = z.looseObject({
  server_version: z.string(),
  server_pid: z.catch(z.number(), 0),
  tui_id: z.string(),
  tui_sig: z.optional(z.string()),
});
export const Agents = z.looseObject({
  agents: z.array(z.looseObject({ alias: z.string(), enabled: z.boolean() })),
});
export const Opened = z.looseObject({ session_id: z.string(), message_count: z.catch(z.number(), 0) });
export const Update = z.looseObject({ type: z.string(), session_id: z.string() });
export type Update = z.infer<typeof Update>;
export const SavedSettings = z.looseObject({
  agent_session: z.optional(z.string()),
  /** The agent whose session it is. */
  model: z.optional(z.string()),
});
export const Trimmed = z.looseObject({
  dropped_messages: z.number(),
  kept_turns: z.catch(z.number(), 0),
  reason: z.catch(z.string(), ""),
});
export const Finished = z.looseObject({ outcome: z.string(), content: z.catch(z.string(), "") });
export type Hello = z.infer<typeof Hello>;
