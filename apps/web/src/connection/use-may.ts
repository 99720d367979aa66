// What this browser's person may do in a session. Without people everything. For a session with an owner, people/sharing/own-rights.ts
// decides once it is loaded; until then everything is offered, and the server refuses with a sentence.
import type { Right, SessionInfo } from "@patchbay/protocol";
import { create } from "zustand";

type Owned = Pick<SessionInfo, "owner" | "access">;
type May = (session: Owned, needed: Right) => boolean;

export const useRights = create<{ may: May }>(() => ({ may: () => true }));

export function useMay(session: Owned, needed: Right): boolean {
  const may = useRights((rights) => rights.may);
  return session.owner === undefined || may(session, needed);
}
