// Whether there is no session yet.
import { useSessionList } from "./session-list.ts";

export const useNewcomer = (): boolean =>
  useSessionList(({ listing }) => listing.state === "ready" && listing.sessions.length === 0);
