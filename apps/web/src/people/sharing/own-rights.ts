// Decides what this browser's person may do in sessions. Reads the team when a session with an owner is opened, and again when its owner
// or access changes: a role or a group may be the reason.
import { includesRight, rightIn, type SessionInfo } from "@patchbay/protocol";
import { useEffect } from "react";
import { useRights } from "../../connection/use-may.ts";
import { useTeamStore } from "../team.ts";

/** A role or a group may be changed without a change in the session. */
const everyMs = 60_000;

export function useOwnRights({ id, owner, access }: SessionInfo): void {
  const sharing = `${id} ${owner} ${JSON.stringify(access)}`;
  const { team, refetch } = useTeamStore();
  useEffect(() => readAgain(sharing, refetch), [sharing, refetch]);
  useEffect(() => {
    if (team === null) return;
    const { me } = team;
    useRights.setState({
      may: (session, needed) => me === null || includesRight(rightIn(session, me), needed),
    });
  }, [team]);
}

/** Reads now, for what `sharing` says, and now and then. Returns a function that ends it. */
function readAgain(_sharing: string, refetch: () => Promise<void>): () => void {
  void refetch();
  const timer = setInterval(() => document.visibilityState === "visible" && void refetch(), everyMs);
  return () => clearInterval(timer);
}
