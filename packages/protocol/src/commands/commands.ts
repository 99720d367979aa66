// Commands: what a page (or any program) may ask of a session, one JSON object per line.
// The first ten are zot rpc's, then those of the session; `restore` is spoken only between server and
// worker; the last ones are answered by the server, which holds the queue and the questions.
import * as z from "zod/mini";
import { Remember } from "../approvals/permission.ts";
import { Usage } from "../costs/usage.ts";
import { Message } from "../events/message.ts";
import { CommandId } from "../lines/bounds.ts";
import { Branch, Mark } from "../transcript/transcript.ts";
import { extensionCommands } from "./extension-commands.ts";
import {
  AbortAndPromptCommand,
  CompactCommand,
  FollowUpCommand,
  PromptCommand,
  SetModelCommand,
  SteerCommand,
  settingCommands,
  WorkerPromptCommand,
  WorkerSteerCommand,
} from "./flow-commands.ts";
import { safetyCommands } from "./safety-commands.ts";
import { sessionCommands } from "./session-commands.ts";

const id = z.optional(CommandId);
const command = <T extends string>(type: T) => z.object({ id, type: z.literal(type) });

export const HelloCommand = z.extend(command("hello"), { token: z.optional(z.string()) });

/**
 * Puts a transcript back into a fresh worker, so that a session outlives the process. A worker with the
 * capability `branch` is given all of it, in several commands when it is long; another one only the
 * messages that its model shall see.
 */
export const RestoreCommand = z.extend(command("restore"), {
  messages: z.array(Message),
  marks: z.optional(z.array(Mark)),
  branch: z.optional(z.string()),
  /** Of one that was given before, more of its messages and marks. */
  branches: z.optional(z.array(Branch)),
  usage: z.optional(Usage),
  context_tokens: z.optional(z.nullable(z.number())),
  name: z.optional(z.string()),
  /** It goes on with the next command; the last one, without this, takes effect. */
  more: z.optional(z.boolean()),
});
export type RestoreCommand = z.infer<typeof RestoreCommand>;

/** Tells a worker that was started ahead where it is and, if wanted, which model it has. */
export const BeginCommand = z.extend(command("begin"), { cwd: z.string(), model: z.optional(z.string()) });

/** Gives a fresh worker back its last `settings` frame. Settings it does not know are ignored. */
export const RestoreSettingsCommand = z.extend(command("restore_settings"), {
  settings: z.record(z.string(), z.unknown()),
});

export const UiResponseCommand = z.object({
  type: z.literal("extension_ui_response"),
  id: z.string(),
  value: z.optional(z.string()),
  confirmed: z.optional(z.boolean()),
  cancelled: z.optional(z.boolean()),
  /** The person's reason, of a denial for example. */
  reason: z.optional(z.string()),
  /** Allows later questions of the same kind too. For the server; no worker gets it. */
  remember: z.optional(Remember),
});
export type UiResponseCommand = z.infer<typeof UiResponseCommand>;

/** From now on each model call needs a permit: the worker asks with `call_permit_request` and waits. */
export const RequirePermitsCommand = z.extend(command("require_permits"), { required: z.boolean() });

/** The answer to a `call_permit_request`; it has no response. `reason`: why not, for a person. */
export const CallPermitCommand = z.object({
  type: z.literal("call_permit"),
  id: z.string(),
  allowed: z.boolean(),
  reason: z.optional(z.string()),
});
export type CallPermitCommand = z.infer<typeof CallPermitCommand>;

export const QueueRemoveCommand = z.extend(command("queue_remove"), { item: z.string() });
export const QueueMoveCommand = z.extend(command("queue_move"), {
  item: z.string(),
  /** Where the item shall stand; 0 is the next to run. */
  to: z.number().check(z.int(), z.nonnegative()),
});

/** Another text for a prompt that waits; its images stay. */
export const QueueEditCommand = z.extend(command("queue_edit"), { item: z.string(), message: z.string() });

/** Starts what waits in the queue when nothing is running: after a crash, say. */
export const QueueResumeCommand = command("queue_resume");

/** Runs a prompt whose `fate` is unknown, though it may have run before. `queue_remove` is the other answer. */
export const QueueRetryCommand = z.extend(command("queue_retry"), { item: z.string() });

/** `hold_queue`: what waits does not start by itself then; a person who stops means all of it. For the server. */
const AbortCommand = z.extend(command("abort"), { hold_queue: z.optional(z.boolean()) });

/** zot rpc v1, all ten but `prompt`, which a worker gets with more fields than a viewer may send. */
const zotCommands = [
  HelloCommand,
  AbortCommand,
  CompactCommand,
  command("get_state"),
  command("get_messages"),
  command("clear"),
  SetModelCommand,
  command("get_models"),
  command("ping"),
] as const;

/** What the built-in worker accepts on its standard input. */
export const WorkerCommand = z.discriminatedUnion("type", [
  ...zotCommands,
  ...settingCommands,
  WorkerPromptCommand,
  WorkerSteerCommand,
  FollowUpCommand,
  AbortAndPromptCommand,
  ...sessionCommands,
  RestoreCommand,
  BeginCommand,
  ...extensionCommands,
  ...safetyCommands,
  RestoreSettingsCommand,
  UiResponseCommand,
  RequirePermitsCommand,
  CallPermitCommand,
]);
export type WorkerCommand = z.infer<typeof WorkerCommand>;

/** What the session socket accepts. */
export const ViewerCommand = z.discriminatedUnion("type", [
  ...zotCommands,
  ...settingCommands,
  PromptCommand,
  SteerCommand,
  FollowUpCommand,
  AbortAndPromptCommand,
  ...extensionCommands,
  ...safetyCommands,
  ...sessionCommands,
  UiResponseCommand,
  QueueRemoveCommand,
  QueueMoveCommand,
  QueueEditCommand,
  QueueResumeCommand,
  QueueRetryCommand,
]);
export type ViewerCommand = z.infer<typeof ViewerCommand>;

export const viewerCommandTypes: ReadonlySet<string> = new Set(
  ViewerCommand.def.options.flatMap((option) => [...option.shape.type.def.values]),
);

/** The least a line must have to be a command at all; everything else depends on its type. */
export const CommandEnvelope = z.looseObject({ type: z.string(), id });
export type CommandEnvelope = z.infer<typeof CommandEnvelope>;
