// Whether the server lets this browser in. Unknown until the first answer.
import { create } from "zustand";

type Access = { state: "unknown" } | { state: "allowed" } | { state: "refused"; message: string };

interface AccessStore {
  access: Access;
  allowed(): void;
  refused(message: string): void;
}

export const useAccess = create<AccessStore>((set, get) => ({
  access: { state: "unknown" },
  allowed() {
    if (get().access.state !== "allowed") set({ access: { state: "allowed" } });
  },
  refused(message) {
    set({ access: { state: "refused", message } });
  },
}));
