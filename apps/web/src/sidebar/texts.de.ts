import type { Translation } from "../language/catalogue.ts";
import type { sidebarTexts } from "./texts.ts";

export const sidebarGerman: Translation<typeof sidebarTexts> = {
  sessions: "Sitzungen",
  search: "Suchen oder Befehl ausführen",
  newSession: "Neue Sitzung",
  newSessionIn: (directory) => `Neue Sitzung in ${directory}`,
  none: "Noch keine Sitzungen. Die erste startet mit der Schaltfläche oben.",
  showMore: (count) => `${count} weitere anzeigen`,
  showFewer: "Weniger anzeigen",
  archived: "Archiviert",
  loading: "Sitzungen werden geladen",
  tryAgain: "Erneut versuchen",
  connected: "Verbunden",
  notReachable: "Server nicht erreichbar",
  settings: "Einstellungen",
  allSessions: "Alle Sitzungen",
  shared: "Geteilt",
  pinned: "Angeheftet",
  menuOf: (session) => `Menü von ${session}`,
  changed: (time) => `geändert ${time}`,
  failed: "fehlgeschlagen",
  beingDeleted: "Wird gelöscht",
  deleted: "Gelöscht:",
  seconds: (count) => `${count} s`,
  undo: "Rückgängig",
  undoOf: (session) => `Rückgängig: ${session} behalten`,
};
