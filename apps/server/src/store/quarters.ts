// Quarters of an hour since 1970, the unit of the ledger's sums. In every time zone a day begins with one, so a day is a range of
// whole quarters.

export const quarterMs = 15 * 60_000;

export const quarterOf = (time: number): number => Math.floor(time / quarterMs);

/** Whether a quarter begins at this time. */
export const isQuarter = (time: number): boolean => time % quarterMs === 0;
