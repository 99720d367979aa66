// What a session has changed, fetched again while its agent works, when it has ended, and when the person asks.
import type { SessionInfo } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { fetchChanges, type SessionChanges } from "../api.ts";
import { useRefetched } from "../use-refetched.ts";

const everyMs = 5_000;

export interface LoadedChanges {
  changes: Fetched<SessionChanges>;
  /** Changes when files are to be fetched again. */
  edition: number;
  refresh(): void;
}

export function useSessionChanges({ id, state }: Pick<SessionInfo, "id" | "state">): LoadedChanges {
  const [edition, setEdition] = useState(0);
  const busy = state === "busy";
  useEffect(() => {
    const again = (): void => setEdition((before) => before + 1);
    if (!busy) return again();
    const timer = setInterval(() => !document.hidden && again(), everyMs);
    return () => clearInterval(timer);
  }, [busy]);
  const changes = useRefetched(id, edition, () => fetchChanges(id));
  return { changes, edition, refresh: () => setEdition((before) => before + 1) };
}
