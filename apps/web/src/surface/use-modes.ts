// The modes that a session rarely changes, as its worker has them: how messages that come while the agent works reach
// it, and whether it is jailed. A mode that the worker does not have is not there.
import { useCan, useTextSetting } from "../connection/use-can.ts";

export interface Mode {
  title: string;
  /** The command that sets it. */
  command: string;
  value: string;
  choices: readonly { value: string; label: string }[];
}

const one = { value: "one-at-a-time", label: "One at a time" };
const all = { value: "all", label: "All together" };

export function useModes(): readonly Mode[] {
  const canSteer = useCan("steer");
  const canFollow = useCan("follow_up");
  const interrupt = useTextSetting("interrupt_mode");
  const steering = useTextSetting("steering_mode");
  const followUp = useTextSetting("follow_up_mode");
  const modes: Mode[] = [];
  if (canSteer && interrupt !== undefined) {
    modes.push({
      title: "Steering takes effect",
      command: "set_interrupt_mode",
      value: interrupt,
      choices: [
        { value: "immediate", label: "After the tool that runs" },
        { value: "wait", label: "After all tools of the step" },
      ],
    });
  }
  if (canSteer && steering !== undefined) {
    modes.push({
      title: "Several that steer",
      command: "set_steering_mode",
      value: steering,
      choices: [one, all],
    });
  }
  if (canFollow && followUp !== undefined) {
    modes.push({
      title: "Several in the queue",
      command: "set_follow_up_mode",
      value: followUp,
      choices: [one, all],
    });
  }
  return modes;
}

/** `enforced`: by the server, and not to be changed here. */
export function useJail(): string | undefined {
  const can = useCan("jail");
  const jail = useTextSetting("jail");
  return can ? jail : undefined;
}
