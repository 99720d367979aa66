// Whether the server lets this browser in. Unknown until the first answer.
import { create } from "zustand";
import { forgetLastSeen } from "./last-seen.ts";

type Access =
  | { state: "unknown" }
  | { state: "allowed" }
  /** `again`: it was logged in before. */
  | { state: "refused"; again: boolean };

interface AccessStore {
  access: Access;
  allowed(): void;
  refused(again: boolean): void;
}

export const useAccess = create<AccessStore>((set, get) => ({
  access: { state: "unknown" },
  allowed() {
    if (get().access.state !== "allowed") set({ access: { state: "allowed" } });
  },
  refused(again) {
    const { access } = get();
    if (access.state !== "refused") void forgetLastSeen(); // drafts stay, what the server has does not
    // A browser that was logged in before logs in again, whatever a later call says.
    const wasIn = access.state === "allowed" || (access.state === "refused" && access.again);
    if (access.state !== "refused" || access.again !== (again || wasIn))
      set({ access: { state: "refused", again: again || wasIn } });
  },
}));
