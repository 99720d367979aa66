// The German texts of all folders. Loaded only where the page is in German.
import { budgetGerman } from "./costs/budgets/data/texts.de.ts";
import { costCardGerman } from "./costs/cards/texts.de.ts";
import { costDataGerman } from "./costs/data/texts.de.ts";
import { costsGerman } from "./costs/texts.de.ts";
import { formatGerman } from "./format/texts.de.ts";

export const german = {
  costs: costsGerman,
  "costs/budgets/data": budgetGerman,
  "costs/cards": costCardGerman,
  "costs/data": costDataGerman,
  format: formatGerman,
};
