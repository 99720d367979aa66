import type { Translation } from "../language/catalogue.ts";
import type { connectionTexts } from "./texts.ts";

export const connectionGerman: Translation<typeof connectionTexts> = {
  noAnswer:
    "Der Agent antwortet seit 20 Sekunden nicht. Vielleicht hängt er: im Menü der Sitzung stoppen, der nächste Prompt startet ihn neu.",
  failed: (command) => `${command} ist fehlgeschlagen`,
  notConnected: "Keine Verbindung. Gleich noch einmal versuchen.",
  closed: "Die Sitzung wurde geschlossen.",
  connectionLost: "Die Verbindung zum Server ist abgebrochen.",
  promptRefused: "Der Prompt wurde abgelehnt.",
  anExtension: "Eine Erweiterung",
};
