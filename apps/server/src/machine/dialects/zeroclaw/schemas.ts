// The daemon's responses and notifications, as far as they are read here. Newer fields are ignored.
import * as z from "zod/mini";

export const DaemonHello = z.looseObject({
  server_version: z.string(),
  server_pid: z.catch(z.number(), 0),
  tui_id: z.string(),
  tui_sig: z.optional(z.string()),
});
export type DaemonHello = z.infer<typeof DaemonHello>;
export const AgentList = z.looseObject({
  agents: z.array(z.looseObject({ alias: z.string(), enabled: z.boolean() })),
});
export const OpenedSession = z.looseObject({
  session_id: z.string(),
  message_count: z.catch(z.number(), 0),
});
export const DaemonUpdate = z.looseObject({ type: z.string(), session_id: z.string() });
export type DaemonUpdate = z.infer<typeof DaemonUpdate>;
export const SavedSettings = z.looseObject({
  agent_session: z.optional(z.string()),
  /** The agent that the session belongs to. */
  model: z.optional(z.string()),
});
export const HistoryTrimmed = z.looseObject({
  dropped_messages: z.number(),
  kept_turns: z.catch(z.number(), 0),
  reason: z.catch(z.string(), ""),
});
export const TurnComplete = z.looseObject({ outcome: z.string(), content: z.catch(z.string(), "") });
