// Responses: the one answer to each command, matched by `id`, and what each command's `data` holds.
import * as z from "zod/mini";
import { Usage } from "../costs/usage.ts";
import { Message } from "../events/message.ts";
import { Label, Labels } from "../lines/bounds.ts";

export const Response = z.looseObject({
  type: z.literal("response"),
  command: z.string(),
  success: z.boolean(),
  id: z.optional(z.string()),
  data: z.optional(z.unknown()),
  error: z.optional(z.string()),
});
export type Response = z.infer<typeof Response>;

export const HelloData = z.looseObject({
  protocol_version: z.number(),
  version: Label,
  provider: Label,
  model: Label,
  /** What the worker can do beyond zot's ten commands. zot itself says nothing here. */
  capabilities: z.optional(Labels),
});
export type HelloData = z.infer<typeof HelloData>;

/** `started:false` with `queued:true`: the server holds the prompt until the running turn is over. */
export const StartedData = z.looseObject({
  started: z.boolean(),
  queued: z.optional(z.boolean()),
  /** Nothing shows whether it had begun when its agent or the server ended: see `QueueItem`. */
  fate: z.optional(z.literal("unknown")),
});
export type StartedData = z.infer<typeof StartedData>;

export const StateData = z.looseObject({
  provider: z.string(),
  model: z.string(),
  cwd: z.string(),
  message_count: z.number(),
  busy: z.boolean(),
  usage: Usage,
  context_window: z.optional(z.number()),
});
export type StateData = z.infer<typeof StateData>;

export const MessagesData = z.looseObject({ messages: z.array(Message) });
export type MessagesData = z.infer<typeof MessagesData>;

export const SetModelData = z.looseObject({ model: z.string() });
export type SetModelData = z.infer<typeof SetModelData>;

export const ModelInfo = z.looseObject({
  id: z.string(),
  provider: z.string(),
  context_window: z.number(),
  max_output: z.number(),
  reasoning: z.boolean(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** Whose models can be used, or could be: with one of these variables set. */
export const ProviderInfo = z.looseObject({
  name: z.string(),
  available: z.boolean(),
  variables: z.array(z.string()),
});
export type ProviderInfo = z.infer<typeof ProviderInfo>;

export const ModelsData = z.looseObject({
  models: z.array(ModelInfo),
  providers: z.optional(z.array(ProviderInfo)),
});
export type ModelsData = z.infer<typeof ModelsData>;

export const PingData = z.looseObject({ pong: z.literal(true) });
export type PingData = z.infer<typeof PingData>;
