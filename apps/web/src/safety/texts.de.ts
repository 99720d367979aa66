import type { Translation } from "../language/catalogue.ts";
import type { safetyTexts } from "./texts.ts";

export const safetyGerman: Translation<typeof safetyTexts> = {
  title: "Sicherheit",
  turnOn: "Einschalten",
  notNow: "Nicht jetzt",
  offerSandbox: "Neue Sitzungen in der Sandbox?",
  offerSandboxText:
    "Agenten haben hier Zugriff auf alles, worauf auch dein Konto Zugriff hat. In der Sandbox erreicht der integrierte Agent nur sein Verzeichnis und führt Befehle weiterhin ohne Rückfrage aus.",
  offerAsking: "Vor Befehlen fragen?",
  offerAskingText:
    "Agenten haben hier Zugriff auf alles, worauf auch dein Konto Zugriff hat, und führen Befehle ohne Rückfrage aus. Neue Sitzungen des integrierten Agenten können vorher fragen.",
  works: "Die Sandbox funktioniert auf diesem Rechner",
  missing: "Keine Sandbox auf diesem Rechner",
  legacy: "Dieser Server behält die Einstellung einer früheren Version bei.",
  configured: "In der Konfigurationsdatei festgelegt.",
  confined: "In neuen Sitzungen erreicht der integrierte Agent nur sein eigenes Verzeichnis.",
  unconfined: "In neuen Sitzungen erreicht der integrierte Agent alles, worauf auch dein Konto Zugriff hat.",
  full: "Befehle führt er ohne Rückfrage aus.",
  autoEdit: "Vor Befehlen fragt er.",
  ask: "Vor jeder Änderung fragt er.",
  modeAsk: "Immer fragen",
  modeAskDetail: "Jede Änderung und jeder Befehl wartet auf Freigabe",
  modeAutoEdit: "Vor Befehlen fragen",
  modeAutoEditDetail: "Ändert Dateien in diesem Verzeichnis ohne Rückfrage; Befehle warten auf Freigabe",
  modeFull: "Nicht fragen",
  modeFullDetail: "Ändert Dateien und führt Befehle ohne Rückfrage aus",
};
