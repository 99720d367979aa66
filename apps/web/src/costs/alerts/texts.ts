import { plural } from "../../format/plural.ts";
import { defineTexts } from "../../language/catalogue.ts";

export const alertTexts = defineTexts("costs/alerts", {
  alerts: "Alerts",
  spikeOf: (name: string) => `Unusual spending: ${name}`,
  spike: (spent: string, usual: string) => `${spent} that day, usually ${usual} by that time`,
  unpricedOf: (name: string) => `Unknown costs: ${name}`,
  unpriced: (calls: number) =>
    `${plural(calls, "call")} without a known price. No sum or budget counts them until the config file has one.`,
  forecastOf: (name: string) => `Forecast above “${name}”`,
  forecast: (amount: string, limit: string) => `${amount} of ${limit} by the end of the period`,
  dismiss: (title: string) => `Dismiss “${title}”`,
  more: (count: number) => `Show ${count} more`,
});
