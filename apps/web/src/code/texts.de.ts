import type { Translation } from "../language/catalogue.ts";
import type { codeTexts } from "./texts.ts";

export const codeGerman: Translation<typeof codeTexts> = {
  code: "Code",
  copyCode: "Code kopieren",
  plainText: "Text",
  changes: "Änderungen",
  oneColumn: "Eine Spalte",
  sideBySide: "Nebeneinander",
  earlierLines: (count) => `${count} frühere Zeilen anzeigen`,
  earlierLine: "1 frühere Zeile anzeigen",
};
