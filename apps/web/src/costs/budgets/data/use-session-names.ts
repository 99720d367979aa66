// The names of sessions by their ids, for budgets of sessions.
import { useMemo } from "react";
import { useSessionList } from "../../../session-list/session-list.ts";

export function useSessionNames(): ReadonlyMap<string, string> {
  const listing = useSessionList((list) => list.listing);
  return useMemo(
    () => new Map(listing.state === "ready" ? listing.sessions.map(({ id, name }) => [id, name]) : []),
    [listing],
  );
}
