import type { Translation } from "../language/catalogue.ts";
import type { uiTexts } from "./texts.ts";

export const uiGerman: Translation<typeof uiTexts> = {
  cancel: "Abbrechen",
  close: "Schließen",
  copied: "Kopiert",
  copyRefused: "Der Browser erlaubt dieser Seite das Kopieren nicht. Text markieren und selbst kopieren.",
  noMatches: "Keine Treffer",
  resize: "Ziehen ändert die Größe, ein Doppelklick setzt sie zurück.",
  showLarger: "Größer anzeigen",
  showSmaller: "Kleiner anzeigen",
  skip: "Zum Inhalt springen",
  typeToFilter: "Tippen, um zu filtern",
};
