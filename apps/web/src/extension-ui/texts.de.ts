import type { Translation } from "../language/catalogue.ts";
import type { extensionUiTexts } from "./texts.ts";

export const extensionUiGerman: Translation<typeof extensionUiTexts> = {
  status: "Status",
  widget: (name) => `Widget ${name}`,
  panel: (title) => `Bereich: ${title}`,
  closePanel: "Bereich schließen",
  up: "Nach oben",
  down: "Nach unten",
  enter: "Eingabe",
  backspace: "Rücktaste",
  typeIntoPanel: "In den Bereich tippen",
  type: "Tippen",
};
