// How names, sums and comparisons read on the costs page.
import { approximately, formatDollars, shownCurrency } from "../../format/money.ts";
import { fixed } from "../../format/number.ts";
import { baseName, shortDirectory } from "../../format/path.ts";
import type { UsageSums } from "./api.ts";
import { personName } from "./person-names.ts";
import { costDataTexts } from "./texts.ts";
import type { Dimension } from "./view.ts";

/** The names of the texts, which are read when they are shown. */
const dimensionTexts = {
  model: ["model", "models"],
  cwd: ["project", "projects"],
  person: ["person", "people"],
  worker: ["agent", "agents"],
  branch: ["branch", "branches"],
  provider: ["provider", "providers"],
  session: ["session", "sessions"],
} as const;

export const dimensionLabel = (dimension: Dimension): string => costDataTexts[dimensionTexts[dimension][0]];
export const dimensionPlural = (dimension: Dimension): string => costDataTexts[dimensionTexts[dimension][1]];

/** Null: several names together. */
export function nameLabel(dimension: Dimension, name: string | null): string {
  if (name === null) return costDataTexts.others;
  if (dimension === "cwd") return baseName(name) || "/";
  if (dimension === "worker") return agentLabel(name);
  if (dimension === "person") return personName(name) ?? (name || costDataTexts.you);
  if (name !== "") return name;
  return dimension === "branch" ? costDataTexts.noBranch : costDataTexts.unknown;
}

export const agentLabel = (worker: string): string =>
  worker === "builtin" ? costDataTexts.builtInAgent : worker || costDataTexts.unknown;

export const nameTitle = (dimension: Dimension, name: string | null): string =>
  dimension === "cwd" && name !== null ? shortDirectory(name) : nameLabel(dimension, name);

/** Sessions without a page: what another program spent, under its own id (`pi:…`), and those that were deleted. */
export function unnamedSession(session: string): { name: string; title: string } {
  const colon = session.indexOf(":");
  return colon === -1
    ? { name: costDataTexts.deletedSession, title: costDataTexts.deletedSessionTitle }
    : {
        name: costDataTexts.importedFrom(session.slice(0, colon)),
        title: costDataTexts.importedTitle(session.slice(0, colon)),
      };
}

export type SpentAmount = Pick<UsageSums, "cost_usd" | "unpriced"> & { estimated?: number };

/** The sum that is known; a dash where no call of it has a price. */
export const dollars = (spent: SpentAmount): string =>
  spent.cost_usd === 0 && spent.unpriced > 0 ? "–" : approximately(spent) + formatDollars(spent.cost_usd);

export const unpricedLabel = (unpriced: number): string | null =>
  unpriced === 0 ? null : costDataTexts.unpricedCalls(unpriced);

export const estimatedLabel = (estimated: number): string | null =>
  estimated === 0 ? null : costDataTexts.estimatedCalls(estimated);

/** Totals need no fraction of a cent; what is less than a dollar keeps enough digits. */
export const bigDollars = (spent: SpentAmount): string => {
  const { cost_usd } = spent;
  if (cost_usd < 0.095 || cost_usd >= 0.995) return dollars(spent);
  return `${approximately(spent)}${shownCurrency.prefix}${fixed(cost_usd * shownCurrency.rate, 2)}`;
};

export type Change =
  | { kind: "same" }
  /** At least ten times as much. */
  | { kind: "times"; times: number }
  | { kind: "percent"; percent: number; up: boolean };

/** How much more or less than before; null where there was nothing to compare with. */
export function change(now: number, before: number): Change | null {
  if (before <= 0) return null;
  const ratio = now / before - 1;
  if (Math.abs(ratio) < 0.005) return { kind: "same" };
  if (ratio >= 9) return { kind: "times", times: Math.round(ratio + 1) };
  return { kind: "percent", percent: Math.max(1, Math.round(Math.abs(ratio) * 100)), up: ratio > 0 };
}
