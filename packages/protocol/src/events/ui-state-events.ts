// Events that change the UI state: settings, extensions' panels, waiting for a retry
// or a compaction. Beside `extension_ui_request`, whose methods without an answer are read here too.
import * as z from "zod/mini";
import { Label, Labels } from "../lines/bounds.ts";

const event = <T extends string>(type: T) => z.looseObject({ type: z.literal(type) });

/** More than any agent has. */
export const maxAgentModes = 100;

/** The controls of a session, always the whole set, so that every viewer's agree. A worker leaves out what it has not. */
export const Settings = z.looseObject({
  provider: z.optional(Label),
  model: z.optional(Label),
  thinking_level: z.optional(Label),
  /** The levels that can be chosen, where the worker has not all of them. */
  thinking_levels: z.optional(Labels),
  /** The modes of a foreign agent (to plan, to build), of which `/mode` chooses one. */
  agent_mode: z.optional(Label),
  agent_modes: z.optional(z.array(z.object({ id: Label, name: Label })).check(z.maxLength(maxAgentModes))),
  steering_mode: z.optional(Label),
  follow_up_mode: z.optional(Label),
  interrupt_mode: z.optional(Label),
  auto_compaction: z.optional(z.boolean()),
  auto_retry: z.optional(z.boolean()),
  approval_mode: z.optional(Label),
  /** Tools that need no approval any more. */
  always_allowed: z.optional(Labels),
  jail: z.optional(Label),
  /** Why commands cannot be confined here, for a person. */
  jail_problem: z.optional(Label),
  /** What the agent itself calls the session, where that lets it go on after a restart. No control. */
  agent_session: z.optional(Label),
  /** What an agent that tells its costs as a sum was charged with so far. */
  agent_spent_usd: z.optional(z.number()),
});
export type Settings = z.infer<typeof Settings>;
export const SettingsEvent = z.extend(event("settings"), Settings.shape);
export type SettingsEvent = z.infer<typeof SettingsEvent>;

/** What waits inside the worker, the next one first; each cut to an excerpt. */
export const QueueUpdateEvent = z.extend(event("queue_update"), {
  steering: z.array(z.string()),
  follow_up: z.array(z.string()),
});

/** A model call failed in a way that may pass; after `delayMs` it is tried again. */
export const AutoRetryStartEvent = z.extend(event("auto_retry_start"), {
  attempt: z.number(),
  maxAttempts: z.number(),
  delayMs: z.number(),
  errorMessage: z.string(),
  /** Ours: from when the pause is counted. */
  time: z.optional(z.string()),
});
export const AutoRetryEndEvent = z.extend(event("auto_retry_end"), {
  success: z.boolean(),
  attempt: z.number(),
  finalError: z.optional(z.string()),
});
export const AutoCompactionStartEvent = z.extend(event("auto_compaction_start"), { reason: z.string() });
export const AutoCompactionEndEvent = z.extend(event("auto_compaction_end"), {
  aborted: z.boolean(),
  willRetry: z.boolean(),
  errorMessage: z.optional(z.string()),
});

/** Text for the person's composer, to be sent or not. */
export const ExtInsertEvent = z.extend(event("ext_insert"), { extension: Label, text: z.string() });
/** A panel is opened, or shows something else: always the whole of it. */
export const ExtPanelEvent = z.extend(event("ext_panel"), {
  extension: Label,
  panel_id: Label,
  title: z.string(),
  lines: z.array(z.string()),
  footer: z.optional(z.string()),
});
export const ExtPanelCloseEvent = z.extend(event("ext_panel_close"), {
  extension: Label,
  panel_id: Label,
});
export const ExtensionErrorEvent = z.extend(event("extension_error"), {
  extensionPath: Label,
  event: Label,
  error: z.string(),
});
/** The slash commands are others than before: `get_commands` tells which. */
export const CommandsChangedEvent = z.extend(event("commands_changed"), {
  /** What the worker can do now, where one of its commands made a difference. */
  capabilities: z.optional(Labels),
});

export const uiStateEvents = [
  SettingsEvent,
  QueueUpdateEvent,
  AutoRetryStartEvent,
  AutoRetryEndEvent,
  AutoCompactionStartEvent,
  AutoCompactionEndEvent,
  ExtInsertEvent,
  ExtPanelEvent,
  ExtPanelCloseEvent,
  ExtensionErrorEvent,
  CommandsChangedEvent,
] as const;

/** The methods of `extension_ui_request` that need no answer, with omp's field names. */
export const UiUpdate = z.discriminatedUnion("method", [
  z.object({
    method: z.literal("notify"),
    message: z.string(),
    notifyType: z.optional(z.string()),
    extension: z.optional(z.string()),
  }),
  /** Without a text the status goes away. */
  z.object({ method: z.literal("setStatus"), statusKey: z.string(), statusText: z.nullish(z.string()) }),
  z.object({
    method: z.literal("setWidget"),
    widgetKey: z.string(),
    widgetLines: z.nullish(z.array(z.string())),
    widgetPlacement: z.optional(z.string()),
  }),
  z.object({ method: z.literal("setTitle"), title: z.string() }),
  z.object({ method: z.literal("set_editor_text"), text: z.string() }),
]);
export type UiUpdate = z.infer<typeof UiUpdate>;
