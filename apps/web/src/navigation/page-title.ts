// What the tab is called, without the count of what needs somebody.
import { create } from "zustand";

export const usePageTitle = create<{ words: string }>(() => ({ words: "Patchbay" }));
