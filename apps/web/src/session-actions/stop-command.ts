// The command that stops what a session does, wherever it is offered.
import type { SessionInfo } from "@patchbay/protocol";

/** The queue is held: a person who stops the agent does not want it to start the next prompt. */
export const stopCommand = ({ job }: Pick<SessionInfo, "job">) =>
  job === "bash" ? ({ type: "abort_bash" } as const) : ({ type: "abort", hold_queue: true } as const);
