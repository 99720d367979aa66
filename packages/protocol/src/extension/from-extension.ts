// What an extension writes. zot's frames, and of ours: `display`, `insert`, `tool_progress` and `ui_request`.
// Unknown fields are left out: a newer extension may write more than we know.
import * as z from "zod/mini";

const frame = <T extends string>(type: T) => z.object({ type: z.literal(type) });
const text = z.optional(z.string());
/** Go writes an empty list as null. */
const list = <T extends z.ZodMiniType>(of: T) => z.nullish(z.array(of));

export const extensionEventNames = [
  "session_start",
  "turn_start",
  "turn_end",
  "tool_call",
  "assistant_message",
] as const;
export const interceptableEvents = ["tool_call", "turn_start", "assistant_message"] as const;

export const ExtHello = z.extend(frame("hello"), {
  name: z.string().check(z.minLength(1)),
  version: text,
  capabilities: list(z.string()),
});
export const RegisterCommand = z.extend(frame("register_command"), {
  name: z.string().check(z.regex(/^[\w.:-]{1,64}$/, "only letters, digits, _ . : - and at most 64")),
  description: text,
  /** Ours: what the arguments look like. */
  hint: text,
});
export const RegisterTool = z.extend(frame("register_tool"), {
  /** What every provider accepts. */
  name: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "only letters, digits, _ - and at most 64")),
  description: text,
  /** JSON Schema of the arguments, which are an object. */
  schema: z.nullish(z.looseObject({ type: z.optional(z.literal("object")) })),
});
export const Subscribe = z.extend(frame("subscribe"), {
  events: list(z.string()),
  intercept: list(z.string()),
});
export const ExtReady = frame("ready");

export const ExtContent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), mime_type: z.string(), data: z.string() }),
]);
export type ExtContent = z.infer<typeof ExtContent>;
export const ExtToolResult = z.extend(frame("tool_result"), {
  id: z.string(),
  content: list(ExtContent),
  is_error: z.optional(z.boolean()),
});
export const ExtToolProgress = z.extend(frame("tool_progress"), { id: z.string(), text: z.string() });

export const InterceptResponse = z.extend(frame("event_intercept_response"), {
  id: z.string(),
  block: z.optional(z.boolean()),
  reason: text,
  /** tool_call: what the tool gets instead; the transcript keeps what the model wrote. */
  modified_args: z.optional(z.unknown()),
  /** assistant_message: what is shown instead. */
  replace_text: text,
});

export const PanelSpec = z.object({
  id: z.string().check(z.minLength(1)),
  title: text,
  lines: list(z.string()),
  footer: text,
});
export type PanelSpec = z.infer<typeof PanelSpec>;
export const CommandResponse = z.extend(frame("command_response"), {
  id: z.string(),
  action: z.optional(z.enum(["prompt", "insert", "display", "open_panel", "noop", ""])),
  prompt: text,
  insert: text,
  display: text,
  open_panel: z.nullish(PanelSpec),
  /** Not empty: the command failed, whatever the action says. */
  error: text,
});

export const Notify = z.extend(frame("notify"), { level: text, message: z.string() });
export const Display = z.extend(frame("display"), { text: z.string() });
export const Insert = z.extend(frame("insert"), { text: z.string() });
export const ClearNotes = frame("clear_notes");
export const OpenPanel = z.extend(frame("open_panel"), { panel: PanelSpec });
export const PanelRender = z.extend(frame("panel_render"), {
  panel_id: z.string(),
  title: text,
  lines: list(z.string()),
  footer: text,
});
export const PanelClose = z.extend(frame("panel_close"), { panel_id: z.string() });

/** omp's UI methods. A question is answered with `ui_response`; the others are not. */
export const UiRequest = z.extend(frame("ui_request"), {
  /** The extension's own; needed for questions. */
  id: text,
  method: z.enum([
    "select",
    "confirm",
    "input",
    "editor",
    "notify",
    "setStatus",
    "setWidget",
    "setTitle",
    "set_editor_text",
  ]),
  /** Questions: milliseconds, after which `default` is the answer. */
  timeout: z.optional(z.number().check(z.positive(), z.maximum(2 ** 31 - 1))),
  default: z.optional(z.union([z.string(), z.boolean()])),
  title: text,
  message: text,
  options: z.optional(z.array(z.string())),
  placeholder: text,
  prefill: text,
  notifyType: z.optional(z.enum(["info", "warning", "error"])),
  statusKey: text,
  /** Absent: the status goes. */
  statusText: z.nullish(z.string()),
  widgetKey: text,
  /** Absent: the widget goes. */
  widgetLines: list(z.string()),
  widgetPlacement: z.optional(z.enum(["aboveEditor", "belowEditor"])),
  text,
});
export type UiRequest = z.infer<typeof UiRequest>;

export const ShutdownAck = frame("shutdown_ack");

export const ExtensionFrame = z.discriminatedUnion("type", [
  ExtHello,
  RegisterCommand,
  RegisterTool,
  Subscribe,
  ExtReady,
  ExtToolResult,
  ExtToolProgress,
  InterceptResponse,
  CommandResponse,
  Notify,
  Display,
  Insert,
  ClearNotes,
  OpenPanel,
  PanelRender,
  PanelClose,
  UiRequest,
  ShutdownAck,
]);
export type ExtensionFrame = z.infer<typeof ExtensionFrame>;
