import { defineTexts } from "../../language/catalogue.ts";

export const reportTexts = defineTexts("costs/report", {
  report: "Monthly report",
  soFar: (month: string) => `${month} so far`,
});
