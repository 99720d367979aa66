// Whether diffs are shown in one column or two. Stored in the browser; a phone has room for one only.
import { create } from "zustand";

type DiffLook = "unified" | "split";

const key = "patchbay.diff";

interface Store {
  look: DiffLook;
  choose(look: DiffLook): void;
}

function kept(): DiffLook {
  try {
    return localStorage.getItem(key) === "split" ? "split" : "unified";
  } catch {
    return "unified"; // storage is forbidden here
  }
}

export const useDiffLook = create<Store>((set) => ({
  look: kept(),
  choose: (look) => {
    set({ look });
    try {
      localStorage.setItem(key, look);
    } catch {
      // Holds for as long as the page.
    }
  },
}));
