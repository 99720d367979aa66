// Commands that steer the flow of turns: messages into a running turn, queues and their modes, thinking,
// models, compaction and retries. Names and shapes are omp's; what is ours says so.
import * as z from "zod/mini";
import { PromptImage } from "../events/message.ts";
import { CommandId, Label } from "../lines/bounds.ts";

const command = <T extends string>(type: T) => z.object({ id: z.optional(CommandId), type: z.literal(type) });

/** A message of a person. */
const content = {
  message: z.optional(z.string()),
  images: z.optional(z.array(PromptImage)),
};

/** Ours, between server and worker: comes back in the `user_message` that the message becomes. */
const key = z.optional(z.string());

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export const ThinkingLevel = z.enum(thinkingLevels);
export type ThinkingLevel = z.infer<typeof ThinkingLevel>;

export const QueueMode = z.enum(["all", "one-at-a-time"]);
export type QueueMode = z.infer<typeof QueueMode>;
export const InterruptMode = z.enum(["immediate", "wait"]);
export type InterruptMode = z.infer<typeof InterruptMode>;

export const PromptCommand = z.extend(command("prompt"), {
  ...content,
  /** What happens to it while a turn is running; left out, it waits as zot's prompts do. */
  streamingBehavior: z.optional(z.enum(["steer", "followUp"])),
});
export type PromptCommand = z.infer<typeof PromptCommand>;
export const SteerCommand = z.extend(command("steer"), content);
export const FollowUpCommand = z.extend(command("follow_up"), content);
export const AbortAndPromptCommand = z.extend(command("abort_and_prompt"), content);

/** The same as the built-in worker takes them from the server. */
export const WorkerPromptCommand = z.extend(PromptCommand, {
  key,
  /** Messages that begin the same turn, after this one: `follow_up_mode` "all". */
  also: z.optional(z.array(z.object({ ...content, key }))),
});
export type WorkerPromptCommand = z.infer<typeof WorkerPromptCommand>;
export const WorkerSteerCommand = z.extend(SteerCommand, {
  key,
  /** Refused instead of starting a turn: the server starts turns itself. */
  ifRunning: z.optional(z.boolean()),
});

/** zot's `model`, or omp's `provider` and `modelId`. */
export const SetModelCommand = z
  .extend(command("set_model"), {
    model: z.optional(Label),
    provider: z.optional(Label),
    modelId: z.optional(Label),
  })
  .check(
    z.refine(
      ({ model, modelId }) => model !== undefined || modelId !== undefined,
      "needs a model, or a provider and a modelId",
    ),
  );
export const CompactCommand = z.extend(command("compact"), {
  customInstructions: z.optional(z.string()),
});

/** zot's later name for the thinking level, with two levels of its own. */
export const SetReasoningCommand = z.extend(command("set_reasoning"), {
  reasoning: z.enum(["off", "minimum", "minimal", "low", "medium", "high", "xhigh", "max"]),
});

/** Changes how a session works; no turn is started and none is ended. */
export const settingCommands = [
  command("cycle_model"),
  z.extend(command("set_thinking_level"), { level: ThinkingLevel }),
  command("cycle_thinking_level"),
  SetReasoningCommand,
  z.extend(command("set_steering_mode"), { mode: QueueMode }),
  z.extend(command("set_follow_up_mode"), { mode: QueueMode }),
  z.extend(command("set_interrupt_mode"), { mode: InterruptMode }),
  z.extend(command("set_auto_compaction"), { enabled: z.boolean() }),
  z.extend(command("set_auto_retry"), { enabled: z.boolean() }),
  command("abort_retry"),
  /** Ours: takes back a message that waits to steer. `index` is its place in `queue_update`, `text` what stands there. */
  z.extend(command("steer_remove"), {
    index: z.number().check(z.int(), z.nonnegative()),
    text: z.string(),
  }),
  command("get_available_models"),
] as const;
