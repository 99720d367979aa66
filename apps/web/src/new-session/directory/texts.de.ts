import type { Translation } from "../../language/catalogue.ts";
import type { directoryTexts } from "./texts.ts";

export const directoryGerman: Translation<typeof directoryTexts> = {
  directory: "Verzeichnis",
  directories: "Verzeichnisse",
  chooseDirectory: "Verzeichnis wählen",
  typePath: "Filtern oder Pfad eingeben: ~/code, /srv",
  browse: "Home-Verzeichnis durchsuchen",
  openDirectory: "Inhalt anzeigen",
  choosesIt: "wählen",
  opensIt: "öffnen",
  moreDirectories: "Weitere Verzeichnisse: zum Eingrenzen tippen.",
  noDirectory: "Hier gibt es kein Verzeichnis, das Sitzungen verwenden dürfen.",
  noRecent: "Kein passendes zuletzt verwendetes Verzeichnis. Einen Pfad eingeben, der mit ~ oder / beginnt.",
  notFound: "nicht gefunden",
  git: "git",
  repository: "Ein Git-Repository",
  onBranch: (branch) => `Auf Branch ${branch}`,
};
