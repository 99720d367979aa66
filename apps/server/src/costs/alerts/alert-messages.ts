// The messages of alerts, for webhooks and transcripts. The page says the same in the language of its reader.
import { formatNanos } from "../budgets/budget-messages.ts";

const usd = (amount: number): string => formatNanos(amount * 1e9);

export const spike = (
  subject: "project" | "model" | "person",
  target: string,
  spent: number,
  usual: number,
): string =>
  `Unusual spending: ${subject === "person" ? `${target} has spent` : `the ${subject} ${target} has cost`} ${usd(spent)} today. Usual at this time of the day: ${usd(usual)}.`;

export const unpriced = (model: string, calls: number): string =>
  `Unknown costs: ${calls} calls of ${model} this month have no known price, so no sum or budget counts them. Enter a price for it in the config file.`;

export const forecast = (budget: string, target: string, amount: number, limit: number, to: string): string =>
  `Forecast above the budget "${budget}"${target === "" ? "" : ` (${target})`}: at the current pace ${usd(amount)} of ${usd(limit)} by ${to}.`;
