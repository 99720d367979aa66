import { defineTexts } from "../language/catalogue.ts";

export const costsTexts = defineTexts("costs", {
  costs: "Costs",
  budgets: "Budgets",
  loading: "Loading costs",
  amountToday: (amount: string) => `${amount} today`,
  todayWithout: (unpriced: string) => `Today, not including ${unpriced}`,
  pageTitle: (today: string | null) =>
    today === null ? "Costs · Patchbay" : `Costs · ${today} today · Patchbay`,
  costsKeywords: "money spending usage dollars",
  budgetsKeywords: "limit money spending cap",
});
