import { plural } from "../../format/plural.ts";
import type { Translation } from "../../language/catalogue.ts";
import type { compareTexts } from "./texts.ts";

export const compareGerman: Translation<typeof compareTexts> = {
  compare: "Mit einer Rechnung vergleichen",
  backToCosts: "Zurück zu den Kosten",
  pageTitle: "Mit einer Rechnung vergleichen · Patchbay",
  intro:
    "Exportieren Sie, was Ihr Anbieter gezählt hat, und sehen Sie, wo es von den Aufzeichnungen von Patchbay abweicht. Die Datei wird verglichen und nicht aufbewahrt.",
  drop: "Nutzungs- oder Kostenexport hier ablegen",
  dropNow: "Zum Vergleichen loslassen",
  choose: "Dateien auswählen",
  chooseMore: "Datei hinzufügen",
  startOver: "Neu beginnen",
  reading: "Wird verglichen…",
  accepted: "Was Sie vergleichen können",
  anthropicFiles:
    "Anthropic: die CSV-Datei mit Nutzung oder Kosten aus der Console oder das JSON der Usage and Cost API",
  openaiFiles:
    "OpenAI: die CSV-Datei mit Nutzung oder Kosten aus dem Dashboard oder das JSON der Usage und Costs API",
  both: "Fügen Sie einen Nutzungs- und einen Kostenexport derselben Tage hinzu, um Token und Geld zugleich zu vergleichen.",
  providerSays: (provider) => `Laut ${provider}`,
  ledgerSays: "Laut Patchbay",
  difference: "Abweichung",
  notTold: "Nicht in dieser Datei",
  tokens: (count) => `${count} Token`,
  calls: (count) => plural(count, "Aufruf", "Aufrufe"),
  utcDays: "Tage sind UTC-Tage, wie die Anbieter sie zählen.",
  partial: "Diese Datei ist eine von mehreren Seiten. Fügen Sie auch die anderen hinzu.",
  daysOnly: "Diese Datei nennt keine Modelle, daher werden nur Tage verglichen.",
  unpriced: (count) =>
    `${plural(count, "Aufruf", "Aufrufe")} ohne bekannten Preis: die aufgezeichneten Kosten sind zu niedrig.`,
  estimated: (count, low, high) =>
    `${plural(count, "Aufruf", "Aufrufe")} abgebrochen: die aufgezeichneten Kosten sind eine Schätzung zwischen ${low} und ${high}.`,
  daysAndModels: "Tage und Modelle",
  show: "Angezeigte Zeilen",
  all: (count) => `Alle ${count}`,
  differing: (count) => `Abweichungen ${count}`,
  onlyProvider: (provider, count) => `Nur ${provider} ${count}`,
  onlyLedger: (count) => `Nur Patchbay ${count}`,
  day: "Tag (UTC)",
  model: "Modell",
  allModels: "Alle Modelle",
  equal: "Gleich",
  differs: "Weicht ab",
  isOnlyProvider: (provider) => `Nur bei ${provider}`,
  isOnlyLedger: "Nur bei Patchbay",
  nothingToShow: "Keine Zeilen dieser Art.",
  allEqual: "Alles in der Datei steht mit denselben Zahlen auch in den Aufzeichnungen.",
  more: (count) => `${count} weitere anzeigen`,
  tokensHead: "Token",
  costHead: "Kosten",
};
