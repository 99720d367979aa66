// What a person prefers in this browser. Stored under one key; a value that is not known any more is its default. How new
// sessions ask for approval is a setting of the server (`/api/safety`), because every way of starting a session keeps it.
import * as z from "zod/mini";
import { create } from "zustand";

const Preferences = z.object({
  /** Where new sessions start; empty: in the directory of the last one. */
  defaultDirectory: z.catch(z.string().check(z.maxLength(4_096)), ""),
  /** The name of an agent; empty: the server's default. */
  defaultAgent: z.catch(z.string().check(z.maxLength(200)), ""),
  /** `provider/model`, for an agent that has it; empty: the agent's default. */
  defaultModel: z.catch(z.string().check(z.maxLength(400)), ""),
  /** What sends a prompt: Enter, or Ctrl/⌘ and Enter. */
  sendKey: z.catch(z.enum(["enter", "mod-enter"]), "enter"),
  density: z.catch(z.enum(["comfortable", "compact"]), "comfortable"),
});
export type Preferences = z.infer<typeof Preferences>;

const key = "patchbay.preferences";

function stored(): Preferences {
  try {
    const read = Preferences.safeParse(JSON.parse(localStorage.getItem(key) ?? "{}"));
    return read.success ? read.data : Preferences.parse({});
  } catch {
    return Preferences.parse({}); // not readable, or storage is forbidden here
  }
}

interface PreferencesStore extends Preferences {
  prefer(change: Partial<Preferences>): void;
}

export const usePreferences = create<PreferencesStore>((set, get) => ({
  ...stored(),
  prefer(change) {
    const next = Preferences.parse({ ...get(), ...change });
    set(next);
    applyDensity(next.density);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage is forbidden here: the choice lasts as long as the page.
    }
  },
}));

/** theme.css reads it. */
function applyDensity(density: Preferences["density"]): void {
  document.documentElement.dataset["density"] = density;
}

applyDensity(usePreferences.getState().density);

// Another tab of the same browser: its choices hold here too.
addEventListener("storage", (event) => {
  if (event.key !== key) return;
  const next = stored();
  usePreferences.setState(next);
  applyDensity(next.density);
});
