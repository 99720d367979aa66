// The language of the page: the one that the person chose in the settings, otherwise the browser's, otherwise English.
const key = "patchbay.language";

/** Each in its own language. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

export type LanguageChoice = Language | "system";

const isLanguage = (value: string | null | undefined): value is Language => value === "en" || value === "de";

export function languageChoice(): LanguageChoice {
  try {
    const value = localStorage.getItem(key);
    return isLanguage(value) ? value : "system";
  } catch {
    return "system"; // storage is forbidden here
  }
}

function read(): Language {
  const choice = languageChoice();
  if (choice !== "system") return choice;
  const first = globalThis.navigator?.languages?.map((tag) => tag.slice(0, 2)).find(isLanguage);
  return first ?? "en";
}

/** Fixed while the page is open: a change loads the page again. */
export const language: Language = read();

/** Texts are read in many places when their modules are loaded, so the page is loaded again. */
export function chooseLanguage(choice: LanguageChoice): void {
  if (choice === "system") localStorage.removeItem(key);
  else localStorage.setItem(key, choice);
  location.reload();
}
