// Events about the session as a whole: a person's own commands, branches, what was loaded, and its name.
import * as z from "zod/mini";
import { Label } from "../lines/bounds.ts";
import { Message } from "./message.ts";

const event = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });

export const BashStartEvent = z.extend(event("bash_start"), {
  id: Label,
  command: z.string(),
  time: z.string(),
});
export const BashOutputEvent = z.extend(event("bash_output"), { id: Label, text: z.string() });
export const BashEndEvent = z.extend(event("bash_end"), {
  id: Label,
  command: z.string(),
  /** The whole output, or its beginning and end. */
  output: z.string(),
  /** Null when it was ended. */
  exit_code: z.nullable(z.number()),
  cancelled: z.boolean(),
  truncated: z.boolean(),
  full_output_path: z.optional(z.string()),
  time: z.string(),
});
export type BashEndEvent = z.infer<typeof BashEndEvent>;

/** The conversation went back, and goes on as a new branch. */
export const BranchedEvent = z.extend(event("branched"), {
  /** The new branch, and the one that was left. */
  branch: Label,
  from: Label,
  /** The prompt before which it went back; null: to the very beginning. */
  entry_id: z.nullable(Label),
  /** The file that the new branch is filled from, or that it continues. */
  session_path: z.optional(z.string()),
  /** What the agent calls the branch that was left, where each has a session of the agent's own: its file. */
  from_agent_session: z.optional(z.string()),
  time: z.string(),
});

/** The conversation goes on where this branch ended. */
export const BranchSwitchedEvent = z.extend(event("branch_switched"), {
  branch: Label,
  from: Label,
  from_agent_session: z.optional(z.string()),
  time: z.string(),
});

/** Messages that were read from a file; a long one comes in several of these. */
export const MessagesLoadedEvent = z.extend(event("messages_loaded"), { messages: z.array(Message) });

export const SessionInfoChangedEvent = z.extend(event("session_info_changed"), { name: z.string() });

export const sessionEvents = [
  BashStartEvent,
  BashOutputEvent,
  BashEndEvent,
  BranchedEvent,
  BranchSwitchedEvent,
  MessagesLoadedEvent,
  SessionInfoChangedEvent,
] as const;
