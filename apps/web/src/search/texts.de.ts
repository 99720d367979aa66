import { plural } from "../format/plural.ts";
import type { Translation } from "../language/catalogue.ts";
import type { searchTexts } from "./texts.ts";

export const searchGerman: Translation<typeof searchTexts> = {
  title: "Alle Verläufe durchsuchen",
  search: "Suche",
  searching: "Suche läuft",
  searchFor: (query) => `Alle Verläufe nach „${query}“ durchsuchen`,
  inTranscripts: "In Verläufen",
  placeholder: "Wörter oder „eine Wendung“ in Anführungszeichen",
  kind: "Art der Nachricht",
  everything: "Alles",
  prompts: "Eigene Prompts",
  answers: "Antworten",
  tools: "Werkzeuge und Ausgaben",
  directory: "Verzeichnis",
  allDirectories: "Alle Verzeichnisse",
  intro: "Prompts, Antworten, Befehle und ihre Ausgaben in allen Sitzungen durchsuchen.",
  tooShort: (letters) => `Mindestens ${letters} Buchstaben eingeben.`,
  none: "Keine Treffer. Weniger Wörter finden mehr; der Anfang eines Wortes genügt.",
  found: (hits, sessions, more) =>
    `${more ? "Die neuesten " : ""}${plural(hits, "Treffer", "Treffer")} in ${plural(sessions, "Sitzung", "Sitzungen")}`,
  kind_prompt: "Eigener Prompt",
  kind_answer: "Antwort",
  kind_tool: "Werkzeugaufruf",
  kind_output: "Ausgabe",
  kind_command: "Eigener Befehl",
  kind_summary: "Zusammenfassung",
  onBranch: "in einem Zweig",
};
