// What the session's worker can do beyond zot's ten commands, and the values of its controls. A control whose
// capability is missing is not shown at all.
import type { Feed } from "./session-feed.ts";
import { useFeedState } from "./use-feed.ts";

export const useCan = (capability: string): boolean =>
  useFeedState(({ session }) => session?.capabilities.includes(capability) ?? false);

type TextSetting =
  | "thinking_level"
  | "approval_mode"
  | "jail"
  | "steering_mode"
  | "follow_up_mode"
  | "interrupt_mode";

/** The controls as the worker last reported them; before it did, as its `get_state` has them (omp's names). */
export const useTextSetting = (name: TextSetting): string | undefined =>
  useFeedState((feed) => feed.transcript.surface.settings?.[name] ?? stateText(feed, name));

export const useSwitch = (name: "auto_compaction" | "auto_retry"): boolean | undefined =>
  useFeedState((feed) => feed.transcript.surface.settings?.[name] ?? stateSwitch(feed, name));

const stateNames = {
  thinking_level: "thinkingLevel",
  approval_mode: "approvalMode",
  jail: "jail",
  steering_mode: "steeringMode",
  follow_up_mode: "followUpMode",
  interrupt_mode: "interruptMode",
  auto_compaction: "autoCompactionEnabled",
  auto_retry: "autoRetryEnabled",
} as const;

function stateText({ worker }: Feed, name: keyof typeof stateNames): string | undefined {
  const value = worker?.[stateNames[name]] ?? worker?.[name];
  return typeof value === "string" ? value : undefined;
}

function stateSwitch({ worker }: Feed, name: keyof typeof stateNames): boolean | undefined {
  const value = worker?.[stateNames[name]] ?? worker?.[name];
  return typeof value === "boolean" ? value : undefined;
}
