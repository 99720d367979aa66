// Commands that change how the session works: modes, thinking and the two automatisms. All of them answer
// in any state; what they change counts from the next model call, tool or queue that looks at it.
import type { ThinkingLevel } from "@patchbay/protocol";
import type { Agent } from "../../agent/agent.ts";
import { thinkingLevelsOf } from "../../models/thinking.ts";
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

export function settingCommands(agent: Agent): Handlers<SettingType> {
  const { conversation, modes, settings } = agent;
  const setLevel = (wished: ThinkingLevel): { level: ThinkingLevel } => {
    modes.thinking = wished;
    settings.changed();
    return { level: modes.thinkingLevel };
  };
  return {
    set_thinking_level: ({ level }, { succeed }) => succeed(setLevel(level)),
    set_reasoning({ reasoning }, { succeed }) {
      const wished = reasoning === "minimum" ? "minimal" : reasoning === "max" ? "xhigh" : reasoning;
      succeed({ reasoning: setLevel(wished).level });
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
      // Whoever turns it off does not want to wait for the attempt that is coming either.
      if (!enabled) agent.retryPause.stop();
      settings.changed();
      succeed();
    },
    abort_retry(_command, { succeed }) {
      agent.retryPause.stop();
      succeed();
    },
  };
}
