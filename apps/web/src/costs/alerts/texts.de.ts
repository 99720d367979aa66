import { plural } from "../../format/plural.ts";
import type { Translation } from "../../language/catalogue.ts";
import type { alertTexts } from "./texts.ts";

export const alertGerman: Translation<typeof alertTexts> = {
  alerts: "Hinweise",
  spikeOf: (name) => `Ungewöhnliche Kosten: ${name}`,
  spike: (spent, usual) => `${spent} an diesem Tag, üblich bis zu dieser Zeit ${usual}`,
  unpricedOf: (name) => `Unbekannte Kosten: ${name}`,
  unpriced: (calls) =>
    `${plural(calls, "Aufruf", "Aufrufe")} ohne bekannten Preis. Keine Summe und kein Budget zählt sie, bis einer in der Konfigurationsdatei steht.`,
  forecastOf: (name) => `Prognose über „${name}“`,
  forecast: (amount, limit) => `${amount} von ${limit} bis zum Ende des Zeitraums`,
  dismiss: (title) => `„${title}“ ausblenden`,
  more: (count) => `${count} weitere anzeigen`,
};
