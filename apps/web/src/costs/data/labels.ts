// How names, sums and comparisons read on the costs page.
import { formatDollars } from "../../format/money.ts";
import { baseName, shortDirectory } from "../../format/path.ts";
import { plural } from "../../format/plural.ts";
import type { UsageSums } from "./api.ts";
import type { Dimension } from "./view.ts";

export const dimensionLabels: Readonly<Record<Dimension, { one: string; many: string }>> = {
  model: { one: "Model", many: "Models" },
  cwd: { one: "Project", many: "Projects" },
  person: { one: "Person", many: "People" },
  worker: { one: "Worker", many: "Workers" },
  branch: { one: "Branch", many: "Branches" },
  provider: { one: "Provider", many: "Providers" },
  session: { one: "Session", many: "Sessions" },
};

/** Null: several names together. */
export function nameLabel(dimension: Dimension, name: string | null): string {
  if (name === null) return "Others";
  if (dimension === "cwd") return baseName(name) || "/";
  if (name !== "") return name;
  if (dimension === "person") return "You";
  return dimension === "branch" ? "no branch" : "not known";
}

export const nameTitle = (dimension: Dimension, name: string | null): string =>
  dimension === "cwd" && name !== null ? shortDirectory(name) : nameLabel(dimension, name);

/** Sessions without a page: what another program spent, under its own id (`pi:…`), and those that were deleted. */
export function unnamedSession(session: string): { name: string; title: string } {
  const colon = session.indexOf(":");
  return colon === -1
    ? { name: "deleted session", title: "It was deleted; what it cost stays." }
    : {
        name: `imported from ${session.slice(0, colon)}`,
        title: `Spent outside, in ${session.slice(0, colon)}`,
      };
}

export type SpentAmount = Pick<UsageSums, "cost_usd" | "unpriced">;

/** The sum that is known; a dash where no call of it has a price. */
export const dollars = ({ cost_usd, unpriced }: SpentAmount): string =>
  cost_usd === 0 && unpriced > 0 ? "–" : formatDollars(cost_usd);

export const unpricedLabel = (unpriced: number): string | null =>
  unpriced === 0 ? null : `${plural(unpriced, "call")} unpriced`;

/** Totals need no fraction of a cent; what is less than a dollar keeps enough digits. */
export const bigDollars = (spent: SpentAmount): string => {
  const { cost_usd, unpriced } = spent;
  if (cost_usd >= 0.995 || cost_usd === 0) return dollars({ cost_usd, unpriced });
  return cost_usd >= 0.095 ? `$${cost_usd.toFixed(2)}` : formatDollars(cost_usd);
};

/** How much more or less than before; null where there was nothing to compare with. */
export function change(now: number, before: number): { label: string; up: boolean } | null {
  if (before <= 0) return null;
  const ratio = now / before - 1;
  if (Math.abs(ratio) < 0.005) return { label: "same as", up: false };
  const up = ratio > 0;
  if (ratio >= 9) return { label: `${Math.round(ratio + 1)} ×`, up };
  return { label: `${Math.max(1, Math.round(Math.abs(ratio) * 100))} %`, up };
}
