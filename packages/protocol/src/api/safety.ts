// What protects a person from the agents of this server: whether there is a sandbox, and how the built-in agent of a new
// session is set.
import * as z from "zod/mini";
import { ApprovalMode, JailMode } from "../commands/safety-commands.ts";

export const SafetyInfo = z.object({
  /** Whether commands can be confined here; where not, why, and what to do. */
  sandbox: z.object({
    works: z.boolean(),
    problem: z.optional(z.string()),
    remedy: z.optional(z.string()),
  }),
  /** Of new sessions of the built-in agent. */
  jail: JailMode,
  approvals: ApprovalMode,
  /** Who decided that: the config file, a person in the page, or nobody. */
  approvals_by: z.enum(["config", "person", "default"]),
  /** The config file says so: it cannot be changed from the page. */
  configured: z.boolean(),
  /** The home was in use before agents were confined by default, and keeps its earlier way. */
  legacy: z.boolean(),
  /** The page offers to change that. */
  hint: z.boolean(),
});
export type SafetyInfo = z.infer<typeof SafetyInfo>;

/** `legacy: false` makes the home as safe as a new one; `hint: false` is a person's "not now"; `approvals: null` is the default. */
export const UpdateSafety = z.strictObject({
  legacy: z.optional(z.literal(false)),
  hint: z.optional(z.literal(false)),
  approvals: z.optional(z.nullable(ApprovalMode)),
});
export type UpdateSafety = z.infer<typeof UpdateSafety>;
