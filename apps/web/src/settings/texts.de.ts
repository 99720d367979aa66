import type { Translation } from "../language/catalogue.ts";
import type { settingsTexts } from "./texts.ts";

export const settingsGerman: Translation<typeof settingsTexts> = {
  title: "Einstellungen",
  general: "Allgemein",
  command: "Einstellungen",
  themeCommand: "Design …",
  themePrompt: "Hell oder dunkel",

  appearance: "Darstellung",
  density: "Dichte",
  comfortable: "Komfortabel",
  compact: "Kompakt",
  language: "Sprache",
  system: "System",

  writing: "Schreiben",
  sendKey: "Senden mit",
  sendEnter: "Enter",
  sendMod: (key) => `${key === "Ctrl" ? "Strg" : key}+Enter`,
  sendEnterNote: "Umschalt+Enter beginnt eine neue Zeile.",
  sendModNote: "Enter beginnt eine neue Zeile.",

  newSessions: "Neue Sitzungen",
  directory: "Standardverzeichnis",
  directoryLast: "Zuletzt verwendet",
  directoryNote: "Ein Pfad auf dem Server. Leer lassen, um dort zu beginnen, wo die letzte Sitzung war.",
  agent: "Standardagent",
  agentDefault: (name) => `Standard (${name})`,
  model: "Standardmodell",
  modelDefault: "Standard des Agenten",
  modelNote: "Für Agenten, die dieses Modell anbieten.",
  modelUnavailable: (model) => `${model} (nicht verfügbar)`,
  approvals: "Freigaben",
  approvalsDefault: (mode) => `Standard (${mode})`,
  approvalsNone: "Standard",
  approvalsNote: "Für neue Sitzungen des integrierten Agenten, auf allen Geräten.",
  approvalsConfigured: "In der Konfigurationsdatei festgelegt.",
  manageKeys: "Agenten und Modelle",

  notifications: "Benachrichtigungen",
  notify: "Auf diesem Gerät benachrichtigen",
  notifyNone: "Dieser Browser zeigt Benachrichtigungen nur über https oder localhost.",
  notifyDenied: "Vom Browser blockiert. In den Website-Einstellungen für diese Seite erlauben.",
  notifyWhen:
    "Wenn ein Agent fertig ist, fehlschlägt oder eine Antwort braucht und die Seite nicht im Blick ist.",
  notifyTry: "Test senden",
  notifyTryTitle: "Fertig: ein Beispiel",
  notifyTryText: "So sieht eine Benachrichtigung aus.",
  notifyNothing: "Nichts zu sehen? Die Benachrichtigungseinstellungen des Systems prüfen.",

  devices: "Geräte",
  devicesNote:
    "Browser, die bei diesem Patchbay angemeldet sind. Programme mit dem Token sind nicht aufgeführt.",
  currentDevice: "Dieses Gerät",
  usedNow: "Gerade verwendet",
  lastUsed: (ago) => `Zuletzt verwendet vor ${ago}`,
  deviceTimes: (used, since, until) =>
    `Zuletzt verwendet ${used}. Angemeldet ${since}. Läuft ${until} ab, wenn es nicht verwendet wird.`,
  revoke: "Abmelden",
  revokeLabel: (device) => `${device} abmelden`,
  revokeOthers: (count) => (count === 1 ? "1 anderes Gerät abmelden" : `${count} andere Geräte abmelden`),
  logOut: "Abmelden",
  logOutNote: "Entfernt Entwürfe und alles andere, was dieser Browser aus Sitzungen aufbewahrt.",

  about: "Über",
  version: (version) => `Patchbay ${version}`,
  shortcuts: "Tastenkürzel",
};
