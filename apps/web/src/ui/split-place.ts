// Where the line between two panes was left, as a part of their width.
export const leastSplit = 0.15;
export const mostSplit = 0.85;

export const boundedSplit = (place: number): number => Math.min(mostSplit, Math.max(leastSplit, place));

export const splitKey = (name: string): string => `patchbay.size.${name}`;

export function splitPlace(name: string, otherwise: number): number {
  try {
    const kept = Number.parseFloat(localStorage.getItem(splitKey(name)) ?? "");
    return Number.isNaN(kept) ? otherwise : boundedSplit(kept);
  } catch {
    return otherwise; // storage is forbidden here
  }
}
