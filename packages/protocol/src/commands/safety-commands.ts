// Commands about what the agent may do without asking, and what it can reach at all.
import * as z from "zod/mini";
import { CommandId } from "../lines/bounds.ts";

const id = z.optional(CommandId);

/** ask: before everything but reading; auto-edit: before everything but reading and editing files; full: never. */
export const ApprovalMode = z.enum(["ask", "auto-edit", "full"]);
export type ApprovalMode = z.infer<typeof ApprovalMode>;

/** enforced: on, and not to be turned off from the session. */
export const JailMode = z.enum(["off", "on", "enforced"]);
export type JailMode = z.infer<typeof JailMode>;

export const safetyCommands = [
  z.object({ id, type: z.literal("set_approval_mode"), mode: ApprovalMode }),
  z.object({ id, type: z.literal("set_jail"), mode: z.enum(["off", "on"]) }),
] as const;
