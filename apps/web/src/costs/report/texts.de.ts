import type { Translation } from "../../language/catalogue.ts";
import type { reportTexts } from "./texts.ts";

export const reportGerman: Translation<typeof reportTexts> = {
  report: "Monatsbericht",
  soFar: (month) => `${month} bisher`,
};
