// The messages of budgets: they warn, stop, refuse, and report changes.
import type { BudgetTerms } from "@patchbay/protocol";
import type { TargetStatus } from "./tally.ts";

export const formatNanos = (nanos: number): string => {
  const whole = nanos / 1e9;
  return `$${whole !== 0 && Math.abs(whole) < 1 ? whole.toFixed(4) : whole.toFixed(2)}`;
};

const when = { turn: "this turn", day: "today", week: "this week", month: "this month", total: "in total" };

const amount = ({ nanos, limit }: TargetStatus, { period }: BudgetTerms): string =>
  `${formatNanos(nanos)} of ${formatNanos(limit)} ${when[period]}`;

export function warning(terms: BudgetTerms, status: TargetStatus): string {
  const percent = Math.floor((status.nanos * 100) / status.limit);
  return `The budget "${terms.name}" is at ${percent} %: ${amount(status, terms)}.`;
}

export const softlyExceeded = (terms: BudgetTerms, status: TargetStatus): string =>
  `The budget "${terms.name}" has reached its limit: ${amount(status, terms)}. Agents keep running, because this budget only warns.`;

export const stopping = (terms: BudgetTerms, status: TargetStatus): string =>
  `Stopped: the budget "${terms.name}" has reached its limit, ${amount(status, terms)}. To continue, raise the limit or grant more.`;

export const refusal = (terms: BudgetTerms, status: TargetStatus): string =>
  `Not started: the budget "${terms.name}" has reached its limit, ${amount(status, terms)}. Raise the limit or grant more${untilReset(terms, status)}.`;

/** What is left is reserved; nothing is spent beyond the limit yet. */
export const crowded = ({ name }: BudgetTerms): string =>
  `Not started: what is left of the budget "${name}" is reserved for model calls that run now. Try again when they are over, raise the limit, or grant more.`;

export const waiting = ({ name }: BudgetTerms): string =>
  `Waiting: what is left of the budget "${name}" is reserved for model calls that run now. This continues when they are over.`;

export const unpricedModel = (
  { name }: BudgetTerms,
  { provider, model }: { provider: string; model: string },
): string =>
  `the budget "${name}" allows no model without a known price, and no source knows what ${provider}/${model} costs. Enter a price for it in the config file, or allow models without a price in the budget.`;

function untilReset({ time_zone }: BudgetTerms, { period: { to } }: TargetStatus): string {
  if (!Number.isFinite(to)) return "";
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: time_zone,
    dateStyle: "medium",
    timeStyle: "short",
  });
  return `, or wait until it resets on ${format.format(to)} (${time_zone})`;
}

export const granted = (terms: BudgetTerms, nanos: number, reason: string): string =>
  `${formatNanos(nanos)} more was granted to the budget "${terms.name}": ${reason}`;

export const changed = (before: BudgetTerms, after: BudgetTerms, reason: string): string => {
  const limit =
    before.limit_usd === after.limit_usd
      ? []
      : [
          `has a new limit of ${formatNanos(after.limit_usd * 1e9)} (before: ${formatNanos(before.limit_usd * 1e9)})`,
        ];
  const kind =
    before.kind === after.kind
      ? []
      : [
          after.kind === "hard"
            ? "now stops agents (before: only warned)"
            : "now only warns (before: stopped agents)",
        ];
  const unpriced =
    before.unpriced === after.unpriced
      ? []
      : [`now ${after.unpriced === "allow" ? "allows" : "refuses"} models without a known price`];
  const changes = [...limit, ...kind, ...unpriced].join(" and ") || "was changed";
  return `The budget "${after.name}" ${changes}${because(reason)}`;
};

export const deleted = ({ name }: BudgetTerms, reason: string): string =>
  `The budget "${name}" was deleted${because(reason)}`;

const because = (reason: string): string => (reason === "" ? "." : `: ${reason}`);
