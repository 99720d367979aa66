import type { Translation } from "../language/catalogue.ts";
import type { attentionTexts } from "./texts.ts";

export const attentionGerman: Translation<typeof attentionTexts> = {
  title: "Benachrichtigungen",
  offer: "Auf diesem Gerät benachrichtigen, wenn ein Agent fertig ist oder eine Antwort braucht?",
  turnOn: "Einschalten",
  notNow: "Nicht jetzt",
  needs: "Antwort nötig",
  failed: "Fehlgeschlagen",
  stopped: "Gestoppt",
  done: "Fertig",
  needsText: "Der Agent hat eine Frage.",
  agentStopped: "Der Agent wurde unerwartet beendet.",
  failedText: "Der Durchgang endete mit einem Fehler.",
  stoppedText: "Der Durchgang wurde gestoppt.",
  doneText: "Der Agent ist fertig.",
};
