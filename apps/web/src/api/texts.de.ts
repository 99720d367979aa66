import type { Translation } from "../language/catalogue.ts";
import type { apiTexts } from "./texts.ts";

export const apiGerman: Translation<typeof apiTexts> = {
  slow: "Der Server hat 30 Sekunden lang nicht geantwortet. Bitte erneut versuchen.",
  unreachable: "Der Server ist nicht erreichbar. Läuft Patchbay noch?",
  notUnderstood: "Die Antwort des Servers ist für diese Seite nicht lesbar. Seite neu laden.",
  status: (status) => `Der Server hat mit Status ${status} geantwortet.`,
  noStorage: "Dieser Browser speichert für diese Adresse keine Daten. Speichern erlauben, dann anmelden.",
};
