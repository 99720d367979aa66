// The title of the tab, without the count of sessions that need attention.
import { create } from "zustand";

export const usePageTitle = create<{ title: string }>(() => ({ title: "Patchbay" }));
