import type { Translation } from "../language/catalogue.ts";
import type { paletteTexts } from "./texts.ts";

export const paletteGerman: Translation<typeof paletteTexts> = {
  title: "Suchen oder Befehl ausführen",
  placeholder: "Sitzungen, Verläufe und Befehle durchsuchen",
  results: "Ergebnisse",
  noMatches: "Keine Treffer",
  close: "Schließen",
  back: "Zurück",
  chosen: "Ausgewählt",
  sessions: "Sitzungen",
  goTo: "Gehe zu",
  settingsOfSession: "Einstellungen der Sitzung",
};
