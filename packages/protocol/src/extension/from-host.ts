// What the host writes to an extension. zot's frames, and `ui_response` of ours.
import * as z from "zod/mini";

const frame = <T extends string>(type: T) => z.object({ type: z.literal(type) });

export const HelloAck = z.extend(frame("hello_ack"), {
  protocol_version: z.number(),
  /** The zot whose extensions run here unchanged. */
  zot_version: z.string(),
  /** Absent when the host is zot itself. */
  patchbay_version: z.optional(z.string()),
  provider: z.string(),
  model: z.string(),
  cwd: z.string(),
  extension_dir: z.optional(z.string()),
  data_dir: z.optional(z.string()),
});
export type HelloAck = z.infer<typeof HelloAck>;

/** What `event` and `event_intercept` carry, depending on the event. */
const payload = {
  event: z.string(),
  /** turn_start */
  step: z.optional(z.number()),
  /** turn_end */
  stop: z.optional(z.string()),
  error: z.optional(z.string()),
  /** tool_call */
  tool_id: z.optional(z.string()),
  tool_name: z.optional(z.string()),
  tool_args: z.optional(z.unknown()),
  /** assistant_message */
  text: z.optional(z.string()),
};
export const HostEvent = z.extend(frame("event"), payload);
export type HostEvent = z.infer<typeof HostEvent>;
export const HostIntercept = z.extend(frame("event_intercept"), { id: z.string(), ...payload });
export type HostIntercept = z.infer<typeof HostIntercept>;

export const HostToolCall = z.extend(frame("tool_call"), {
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
});
/** The result is not needed any more. */
export const HostToolCancel = z.extend(frame("tool_cancel"), { id: z.string() });
export const CommandInvoked = z.extend(frame("command_invoked"), {
  id: z.string(),
  name: z.string(),
  /** Left out when empty. */
  args: z.optional(z.string()),
});
export const HostPanelKey = z.extend(frame("panel_key"), {
  panel_id: z.string(),
  key: z.string(),
  text: z.optional(z.string()),
});
export const HostPanelClose = z.extend(frame("panel_close"), { panel_id: z.string() });
export const UiResponse = z.extend(frame("ui_response"), {
  id: z.string(),
  value: z.optional(z.string()),
  confirmed: z.optional(z.boolean()),
  /** There is no answer: the person closed it, or it could not be asked. */
  cancelled: z.optional(z.boolean()),
  /** The time was up; `value` or `confirmed` is then the default. */
  timed_out: z.optional(z.boolean()),
  /** Why it could not be asked. */
  error: z.optional(z.string()),
});
export type UiResponse = z.infer<typeof UiResponse>;
export const Shutdown = frame("shutdown");

export const HostFrame = z.discriminatedUnion("type", [
  HelloAck,
  HostEvent,
  HostIntercept,
  HostToolCall,
  HostToolCancel,
  CommandInvoked,
  HostPanelKey,
  HostPanelClose,
  UiResponse,
  Shutdown,
]);
export type HostFrame = z.infer<typeof HostFrame>;
