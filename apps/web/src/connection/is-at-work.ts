// Whether there is something to stop in a session.
import type { SessionInfo } from "@patchbay/protocol";

/** A worker that starts for a prompt can be stopped before the turn begins; a question of the server comes before all work. */
export const isAtWork = ({
  state,
  job,
  pending,
}: Pick<SessionInfo, "state" | "job" | "pending">): boolean => {
  if (state === "starting" || pending.some(({ id }) => id.startsWith("server-"))) return job !== null;
  return state === "busy" || state === "waiting";
};
