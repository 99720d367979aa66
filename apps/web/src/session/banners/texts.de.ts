import type { Translation } from "../../language/catalogue.ts";
import type { bannersTexts } from "./texts.ts";

export const bannersGerman: Translation<typeof bannersTexts> = {
  disconnected: "Verbindung getrennt. Wird wiederhergestellt…",
  nothingLost:
    "Es geht nichts verloren. Was jetzt gesendet wird, kommt an, sobald die Verbindung wieder steht.",
  trouble: "Serverproblem",
  cannotSave: "Es kann nichts gespeichert werden.",
  freeSpace: "Speicherplatz freigeben, dann macht der Agent von selbst weiter.",
  otherBranch: "Die gesuchte Nachricht ist auf einem anderen Zweig.",
  showBranch: "Zweig anzeigen",
  whenIdle: "Verfügbar, sobald der Agent fertig ist",
  deleting: "Diese Sitzung wird gelöscht.",
  keep: "Sitzung behalten",
  agentNotStarted: "Der Agent ist nicht gestartet",
  whatToDo: "Was soll der Agent tun?",
  worksIn: "Der Agent arbeitet in",
  whatItDoes: "Dort liest und bearbeitet er Dateien und führt Befehle aus.",
  demo: "Es ist kein Modellschlüssel hinterlegt, deshalb antwortet das Offline-Demomodell. Es folgt einem Skript, streamt aber, denkt nach und benutzt die Werkzeuge wirklich. Es ist kostenlos.",
  listFiles: "Die Dateien in diesem Verzeichnis auflisten",
  readReadme: "README.md lesen und dieses Projekt zusammenfassen",
  explainLog: "`git log --oneline -5` ausführen und die letzte Änderung erklären",
  // The demo model understands English only
  demoListFiles: "List the files in this directory",
  runVersion: "Run the command `node --version`",
  writeFile: "Write a file hello.txt that says hello, then read it",
};
