// Whether the session's agent is confined, and whether a person can change that. Known also when its worker has ended: it is
// always shown.
import { useFeedState } from "../connection/use-feed.ts";

export interface Sandboxing {
  /** Its commands are confined. */
  on: boolean;
  /** `choice`: a person can change it here. `enforced`: the server's operator has decided. `fixed`: its profile has. */
  by: "choice" | "enforced" | "fixed";
  /** Why commands cannot be confined on this machine, and what to do. */
  problem: string | null;
  /** The agent should be confined, and is not: every command asks. */
  leaks: boolean;
}

/** Undefined: nothing is known of it, as of a daemon's agent. */
export function useSandbox(): Sandboxing | undefined {
  const jail = useFeedState((feed) => feed.transcript.surface.settings?.jail);
  const problem = useFeedState((feed) => feed.transcript.surface.settings?.jail_problem ?? null);
  const sandboxed = useFeedState((feed) => feed.session?.sandboxed);
  if (sandboxed !== undefined) return { on: sandboxed, by: "fixed", problem: null, leaks: false };
  if (jail === undefined) return undefined;
  const wanted = jail !== "off";
  return {
    on: wanted && problem === null,
    by: jail === "enforced" ? "enforced" : "choice",
    problem,
    leaks: wanted && problem !== null,
  };
}
