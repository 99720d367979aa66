import type { Translation } from "../language/catalogue.ts";
import type { costsTexts } from "./texts.ts";

export const costsGerman: Translation<typeof costsTexts> = {
  costs: "Kosten",
  budgets: "Budgets",
  loading: "Kosten werden geladen",
  amountToday: (amount) => `${amount} heute`,
  todayWithout: (unpriced) => `Heute, ohne ${unpriced}`,
  pageTitle: (today) => (today === null ? "Kosten · Patchbay" : `Kosten · ${today} heute · Patchbay`),
  costsKeywords: "Geld Ausgaben Verbrauch Dollar costs",
  budgetsKeywords: "Limit Grenze Geld Ausgaben Obergrenze",
};
