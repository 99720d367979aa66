import type { Translation } from "../language/catalogue.ts";
import type { sharedPageTexts } from "./texts.ts";

export const sharedPageGerman: Translation<typeof sharedPageTexts> = {
  person: "Nutzer",
  live: "Live",
  working: "Der Agent arbeitet",
  frozen: "Eine Kopie von dem Zeitpunkt, an dem der Link erstellt wurde",
  readOnly: "Nur lesen",
  hides: (parts) => `Nicht gezeigt: ${parts}`,
  tool_output: "Ausgaben von Werkzeugen",
  paths: "Dateipfade",
  costs: "Kosten",
  thinking: "Gedanken",
  names: "Namen",
  earlier: (count) => `${count} frühere Nachrichten werden nicht gezeigt.`,
  empty: "Noch wurde nichts gesagt.",
  loading: "Wird geladen…",
  endedTitle: "Dieser Link gilt nicht mehr",
  brokenTitle: "Dieser Link funktioniert nicht",
  broken: "Prüfen Sie, ob der ganze Link kopiert wurde, mit allem nach dem #.",
  away: "Der Server ist nicht erreichbar. Neuer Versuch…",
};
