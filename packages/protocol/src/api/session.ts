// A session as programs outside see it, and the workers that can be started for one.
import * as z from "zod/mini";
import { ProviderInfo } from "../commands/responses.ts";
import { Usage } from "../costs/usage.ts";
import { UiRequestEvent } from "../events/events.ts";
import { Label } from "../lines/bounds.ts";
import { SessionAccess } from "../people/session-access.ts";
import { ImportSource } from "./imports.ts";

export const SessionState = z.enum(["starting", "idle", "busy", "waiting", "stopped", "failed"]);
export type SessionState = z.infer<typeof SessionState>;

/** A question to a person that is not answered yet. */
export const Question = z.extend(UiRequestEvent, {
  asked_at: z.string(),
  expires_at: z.optional(z.string()),
});
export type Question = z.infer<typeof Question>;

/** What its worker uses at the moment. */
export const Resources = z.object({ cpu_percent: z.number(), memory_bytes: z.number() });
export type Resources = z.infer<typeof Resources>;

export const SessionInfo = z.looseObject({
  id: z.string(),
  name: z.string(),
  worker: z.string(),
  dialect: z.string(),
  cwd: z.string(),
  /** What its costs are for, where it works in a worktree: the directory it is a worktree of. */
  project: z.optional(z.string()),
  /** The branch of the worktree that was made for it. */
  branch: z.optional(z.string()),
  provider: z.string(),
  model: z.string(),
  state: SessionState,
  /** Why it failed, for a person. */
  reason: z.optional(z.string()),
  /** What keeps its log from being written, for a person; the agent waits until that is mended. */
  trouble: z.optional(z.string()),
  /** What keeps it busy; with `bash`, a person's own command, a prompt starts all the same. */
  job: z.nullable(z.enum(["prompt", "compact", "bash"])),
  /** How its last turn ended; absent before there was one, and when that is not remembered. */
  last_turn: z.optional(z.enum(["done", "failed", "stopped"])),
  /** The server ended during its last turn. */
  interrupted: z.optional(z.boolean()),
  /** The newest words of its transcript, on one line: the agent's, the tool it called, or the prompt. */
  last_line: z.optional(z.string()),
  message_count: z.number(),
  seq: z.number(),
  usage: Usage,
  pending: z.array(Question),
  viewers: z.number(),
  /** The worker's process, while there is one. */
  pid: z.optional(z.number()),
  /** The turn that runs has reported nothing since then, which is long, and no tool of its runs: the agent may be retrying. */
  silent_since: z.optional(z.string()),
  /** Absent when there is no worker, or the system does not tell. */
  resources: z.optional(Resources),
  created_at: z.string(),
  updated_at: z.string(),
  /** It stands above the others in lists. */
  pinned: z.optional(z.boolean()),
  /** Out of sight, and kept. */
  archived: z.optional(z.boolean()),
  /** It is being deleted: until then it can be restored. */
  deletes_at: z.optional(z.string()),
  /** Whether its worker is started in the sandbox; absent: the built-in agent, which tells it in its settings, or a daemon. */
  sandboxed: z.optional(z.boolean()),
  /** What the worker can do beyond zot's ten commands; without a worker, what its last one could. Empty before the first `hello`. */
  capabilities: z.array(z.string()),
  /** The id of the person whose it is; absent on a server without people. */
  owner: z.optional(z.string()),
  /** Who else may do what; absent: it is private. */
  access: z.optional(SessionAccess),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

export const CreateSession = z.strictObject({
  worker: z.optional(Label),
  cwd: z.optional(z.string().check(z.maxLength(4_096))),
  model: z.optional(Label),
  name: z.optional(z.string().check(z.maxLength(200))),
  /** Go on with a session that another program left in this directory. */
  import: z.optional(ImportSource),
  /** In a git worktree of its own, on a branch of its own. */
  worktree: z.optional(z.boolean()),
});
export type CreateSession = z.infer<typeof CreateSession>;

export const UpdateSession = z.strictObject({
  name: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
  pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
});
export type UpdateSession = z.infer<typeof UpdateSession>;

/** With an agent's facts beside (`AgentFacts`), which only the setup page reads. */
export const WorkerInfo = z.looseObject({
  name: z.string(),
  dialect: z.string(),
  available: z.boolean(),
  reason: z.optional(z.string()),
  /** The command that installs it, when it is missing. */
  install: z.optional(z.string()),
  capabilities: z.array(z.string()),
  /** The models it can be started with, where it is known without starting it. */
  models: z.optional(
    z.array(
      z.looseObject({
        id: z.string(),
        provider: z.string(),
        /** In tokens; 0 or absent: unknown. */
        context_window: z.optional(z.number()),
        /** Dollars per million tokens; absent: unknown. */
        price: z.optional(z.object({ input: z.number(), output: z.number() })),
      }),
    ),
  ),
  /** Whose models these are, and whose there could be. */
  providers: z.optional(z.array(ProviderInfo)),
});
export type WorkerInfo = z.infer<typeof WorkerInfo>;
