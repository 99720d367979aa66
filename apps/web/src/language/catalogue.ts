// The catalogues of texts: every folder of the page keeps the texts that a person reads in its `texts.ts`, in English, and in
// `texts.de.ts` in German. A translation that has been loaded replaces the English texts of all catalogues, loaded before or after it.

/** A text, or a function that puts values into one. */
type Text = string | ((...values: never[]) => string);

export type Texts = Readonly<Record<string, Text>>;

/** The same names with the same values: the compiler finds a missing or unused translation. */
export type Translation<T extends Texts> = {
  readonly [Name in keyof T]: T[Name] extends string ? string : T[Name];
};

const catalogues = new Map<string, Texts>();
let translations: Readonly<Record<string, Texts>> = {};

/** The texts of one folder, which has its name. Read a text when it is shown, not when the module is loaded. */
export function defineTexts<T extends Texts>(folder: string, english: T): T {
  const catalogue = { ...english, ...translations[folder] };
  catalogues.set(folder, catalogue);
  return catalogue;
}

/** By folder. Called once, before the page is rendered. */
export function translate(all: Readonly<Record<string, Texts>>): void {
  translations = all;
  for (const [folder, catalogue] of catalogues) Object.assign(catalogue, all[folder]);
}
