// The modes of a session as its worker has them. A mode that the worker does not have is not there.
import { useCan, useTextSetting } from "../connection/use-can.ts";
import { useFeedState } from "../connection/use-feed.ts";
import { controlsTexts } from "./texts.ts";

export interface SessionMode {
  title: string;
  /** The command that sets it. */
  command: string;
  value: string;
  choices: readonly { value: string; label: string }[];
}

const oneOrAll = () => [
  { value: "one-at-a-time", label: controlsTexts.oneAtATime },
  { value: "all", label: controlsTexts.allTogether },
];

export function useModes(): readonly SessionMode[] {
  const canSteer = useCan("steer");
  const canFollow = useCan("follow_up");
  const interrupt = useTextSetting("interrupt_mode");
  const steering = useTextSetting("steering_mode");
  const followUp = useTextSetting("follow_up_mode");
  const modes: SessionMode[] = [];
  if (canSteer && interrupt !== undefined) {
    modes.push({
      title: controlsTexts.interrupt,
      command: "set_interrupt_mode",
      value: interrupt,
      choices: [
        { value: "immediate", label: controlsTexts.interruptImmediate },
        { value: "wait", label: controlsTexts.interruptWait },
      ],
    });
  }
  if (canSteer && steering !== undefined) {
    modes.push({
      title: controlsTexts.steering,
      command: "set_steering_mode",
      value: steering,
      choices: oneOrAll(),
    });
  }
  if (canFollow && followUp !== undefined) {
    modes.push({
      title: controlsTexts.followUps,
      command: "set_follow_up_mode",
      value: followUp,
      choices: oneOrAll(),
    });
  }
  return modes;
}

/** What it may do without asking; known also when its worker has ended. Undefined: it has no such modes. */
export function useApprovals(): string | undefined {
  const can = useCan("approvals");
  const mode = useTextSetting("approval_mode");
  const isAway = useFeedState(({ session }) => session?.capabilities.length === 0);
  return can || isAway ? mode : undefined;
}

const noModes: readonly { id: string; name: string }[] = [];

/** The modes of a foreign agent. */
export const useAgentModes = () =>
  useFeedState(({ transcript }) => transcript.surface.settings?.agent_modes) ?? noModes;
