// Commands that change how the session works: modes, thinking, automatic compaction and retries. They are
// accepted in any state, and take effect with the next model call, tool or queued prompt.
import type { ThinkingLevel } from "@patchbay/protocol";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { TurnModes } from "../../agent/conversation/turn-modes.ts";
import type { RetryPause } from "../../agent/turn/retry-pause.ts";
import { thinkingLevelsOf } from "../../models/thinking.ts";
import type { SettingsRegistry } from "../../output/settings-registry.ts";
import type { Handlers } from "../exchange.ts";

type SettingType =
  | "set_thinking_level"
  | "cycle_thinking_level"
  | "set_reasoning"
  | "set_steering_mode"
  | "set_follow_up_mode"
  | "set_interrupt_mode"
  | "set_auto_compaction"
  | "set_auto_retry"
  | "abort_retry";

interface SettingParts {
  readonly conversation: Conversation;
  readonly modes: TurnModes;
  readonly settings: SettingsRegistry;
  readonly retryPause: RetryPause;
}

export function settingHandlers({
  conversation,
  modes,
  settings,
  retryPause,
}: SettingParts): Handlers<SettingType> {
  const setLevel = (requested: ThinkingLevel): { level: ThinkingLevel } => {
    modes.thinking = requested;
    settings.changed();
    return { level: modes.thinkingLevel };
  };
  return {
    set_thinking_level: ({ level }, { succeed }) => succeed(setLevel(level)),
    set_reasoning({ reasoning }, { succeed }) {
      const requested = reasoning === "minimum" ? "minimal" : reasoning;
      succeed({ reasoning: setLevel(requested).level });
    },
    cycle_thinking_level(_command, { succeed }) {
      const levels = thinkingLevelsOf(conversation.model);
      if (levels.length < 2) return succeed(null);
      succeed(setLevel(levels[(levels.indexOf(modes.thinkingLevel) + 1) % levels.length] ?? "off"));
    },
    set_steering_mode({ mode }, { succeed }) {
      modes.steering = mode;
      settings.changed();
      succeed();
    },
    set_follow_up_mode({ mode }, { succeed }) {
      modes.followUp = mode;
      settings.changed();
      succeed();
    },
    set_interrupt_mode({ mode }, { succeed }) {
      modes.interrupt = mode;
      settings.changed();
      succeed();
    },
    set_auto_compaction({ enabled }, { succeed }) {
      modes.autoCompaction = enabled;
      settings.changed();
      succeed();
    },
    set_auto_retry({ enabled }, { succeed }) {
      modes.autoRetry = enabled;
      // Turning it off also cancels the attempt that is waiting.
      if (!enabled) retryPause.stop();
      settings.changed();
      succeed();
    },
    abort_retry(_command, { succeed }) {
      retryPause.stop();
      succeed();
    },
  };
}
