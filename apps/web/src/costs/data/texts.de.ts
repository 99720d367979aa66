import { plural } from "../../format/plural.ts";
import type { Translation } from "../../language/catalogue.ts";
import type { costDataTexts } from "./texts.ts";

export const costDataGerman: Translation<typeof costDataTexts> = {
  today: "Heute",
  thisMonth: "Dieser Monat",
  burnRate: "Ausgaben pro Stunde",
  monthForecast: "Prognose für den Monat",
  unpricedCalls: (count) => `${plural(count, "Aufruf", "Aufrufe")} ohne Preis`,
  others: "Andere",
  you: "Du",
  noBranch: "Kein Branch",
  unknown: "Unbekannt",
  builtInAgent: "Integrierter Agent",
  deletedSession: "Gelöschte Sitzung",
  deletedSessionTitle: "Diese Sitzung wurde gelöscht. Ihre Kosten bleiben erhalten.",
  importedFrom: (program) => `Importiert aus ${program}`,
  importedTitle: (program) => `Außerhalb von Patchbay ausgegeben, in ${program}`,
  model: "Modell",
  models: "Modelle",
  project: "Projekt",
  projects: "Projekte",
  person: "Person",
  people: "Personen",
  agent: "Agent",
  agents: "Agenten",
  branch: "Branch",
  branches: "Branches",
  provider: "Anbieter",
  providers: "Anbieter",
  session: "Sitzung",
  sessions: "Sitzungen",
};
