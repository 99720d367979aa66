// The comparison of a provider's export with the ledger.
import { plural } from "../../format/plural.ts";
import { defineTexts } from "../../language/catalogue.ts";

export const compareTexts = defineTexts("costs/compare", {
  compare: "Compare with a bill",
  backToCosts: "Back to costs",
  pageTitle: "Compare with a bill · Patchbay",
  intro:
    "Export what your provider counted, and see where it differs from what Patchbay recorded. The file is compared and not kept.",
  drop: "Drop a usage or cost export here",
  dropNow: "Drop to compare",
  choose: "Choose files",
  chooseMore: "Add a file",
  startOver: "Start over",
  reading: "Comparing…",
  accepted: "What you can compare",
  anthropicFiles:
    "Anthropic: the CSV of usage or cost from the Console, or the JSON of the Usage and Cost API",
  openaiFiles: "OpenAI: the CSV of usage or cost from the dashboard, or the JSON of the Usage and Costs API",
  both: "Add a usage and a cost export of the same days to compare tokens and money at once.",
  providerSays: (provider: string) => `${provider} says`,
  ledgerSays: "Patchbay recorded",
  difference: "Difference",
  notTold: "Not in this file",
  tokens: (count: string) => `${count} tokens`,
  calls: (count: number) => plural(count, "call"),
  utcDays: "Days are UTC days, as providers count them.",
  partial: "This file is one page of several. Add the others too.",
  daysOnly: "This file names no models, so only days are compared.",
  unpriced: (count: number) =>
    `${plural(count, "call")} in the ledger ${count === 1 ? "has" : "have"} no known price, so the recorded cost is too low.`,
  estimated: (count: number, low: string, high: string) =>
    `${plural(count, "call")} ${count === 1 ? "was" : "were"} cut off, so the recorded cost is an estimate between ${low} and ${high}.`,
  daysAndModels: "Days and models",
  show: "Rows to show",
  all: (count: string) => `All ${count}`,
  differing: (count: string) => `Differences ${count}`,
  onlyProvider: (provider: string, count: string) => `Only ${provider} ${count}`,
  onlyLedger: (count: string) => `Only Patchbay ${count}`,
  day: "Day (UTC)",
  model: "Model",
  allModels: "All models",
  equal: "Equal",
  differs: "Differs",
  isOnlyProvider: (provider: string) => `Only ${provider} has it`,
  isOnlyLedger: "Only Patchbay has it",
  nothingToShow: "No rows of this kind.",
  allEqual: "Everything that is in the file is also in the ledger, with the same figures.",
  more: (count: number) => `Show ${count} more`,
  tokensHead: "Tokens",
  costHead: "Cost",
});
