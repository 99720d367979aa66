// How the person wants turns to go: omp's queue modes, thinking, and the two automatisms. They are settings,
// so that every viewer's controls agree and the next worker of the session gets them back.
import { InterruptMode, QueueMode, ThinkingLevel } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Flags } from "../../config/flags.ts";
import { thinkingLevelOf } from "../../models/thinking.ts";
import type { Settings } from "../../output/settings.ts";
import type { Conversation } from "./conversation.ts";

export class Modes {
  /** As wished; what a model can do of it is decided with each call. */
  thinking: ThinkingLevel;
  steering: QueueMode = "one-at-a-time";
  followUp: QueueMode = "one-at-a-time";
  interrupt: InterruptMode = "immediate";
  autoCompaction = true;
  autoRetry = true;
  readonly #conversation: Conversation;

  constructor(settings: Settings, conversation: Conversation, { reasoning }: Pick<Flags, "reasoning">) {
    this.#conversation = conversation;
    this.thinking = reasoning ?? "off";
    // The model is told for the controls; a worker is given it when it starts.
    settings.add("provider", { get: () => conversation.model.provider, restore: () => {} });
    settings.add("model", { get: () => conversation.model.id, restore: () => {} });
    const add = <T>(name: string, schema: z.ZodMiniType<T>, get: () => T, set: (value: T) => void): void =>
      settings.add(name, {
        get,
        restore: (value) => {
          const read = schema.safeParse(value);
          if (read.success) set(read.data);
        },
      });
    add(
      "thinking_level",
      ThinkingLevel,
      () => this.thinkingLevel,
      (level) => (this.thinking = level),
    );
    add(
      "steering_mode",
      QueueMode,
      () => this.steering,
      (mode) => (this.steering = mode),
    );
    add(
      "follow_up_mode",
      QueueMode,
      () => this.followUp,
      (mode) => (this.followUp = mode),
    );
    add(
      "interrupt_mode",
      InterruptMode,
      () => this.interrupt,
      (mode) => (this.interrupt = mode),
    );
    add(
      "auto_compaction",
      z.boolean(),
      () => this.autoCompaction,
      (on) => (this.autoCompaction = on),
    );
    add(
      "auto_retry",
      z.boolean(),
      () => this.autoRetry,
      (on) => (this.autoRetry = on),
    );
  }

  /** What the current model makes of the wish. */
  get thinkingLevel(): ThinkingLevel {
    return thinkingLevelOf(this.#conversation.model, this.thinking);
  }
}
