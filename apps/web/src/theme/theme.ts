// Light, dark, or as the system has it; the choice is stored. public/early.js reads the same key
// before the first paint.
import { create } from "zustand";

export type ThemeChoice = "system" | "light" | "dark";

const key = "patchbay.theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : "system";
  } catch {
    return "system";
  }
}

function apply(choice: ThemeChoice): void {
  const dark = choice === "dark" || (choice === "system" && systemDark.matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
}

interface ThemeStore {
  choice: ThemeChoice;
  choose(choice: ThemeChoice): void;
}

export const useTheme = create<ThemeStore>((set) => ({
  choice: stored(),
  choose(choice) {
    try {
      if (choice === "system") localStorage.removeItem(key);
      else localStorage.setItem(key, choice);
    } catch {
      // Storage is forbidden here: the choice lasts as long as the page.
    }
    apply(choice);
    set({ choice });
  },
}));

systemDark.addEventListener("change", () => apply(useTheme.getState().choice));
