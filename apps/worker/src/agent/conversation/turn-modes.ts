// The person's preferences for turns: omp's queue modes, thinking, automatic compaction and retries. They are settings,
// so that every viewer's controls agree and the next worker of the session gets them back.
import { InterruptMode, QueueMode, ThinkingLevel } from "@patchbay/protocol";
import * as z from "zod/mini";
import type { Flags } from "../../config/flags.ts";
import { thinkingLevelOf } from "../../models/thinking.ts";
import type { SettingsRegistry } from "../../output/settings-registry.ts";
import type { Conversation } from "./conversation.ts";

export class TurnModes {
  /** As requested; the level that a call uses depends on its model. */
  thinking: ThinkingLevel;
  steering: QueueMode = "one-at-a-time";
  followUp: QueueMode = "one-at-a-time";
  interrupt: InterruptMode = "immediate";
  autoCompaction = true;
  autoRetry = true;
  readonly #conversation: Conversation;

  constructor(
    settings: SettingsRegistry,
    conversation: Conversation,
    { reasoning }: Pick<Flags, "reasoning">,
  ) {
    this.#conversation = conversation;
    this.thinking = reasoning ?? "off";
    // The model is in the frame for the page's controls; it is restored by a flag, not from here.
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

  /** The level that the current model uses. */
  get thinkingLevel(): ThinkingLevel {
    return thinkingLevelOf(this.#conversation.model, this.thinking);
  }
}
