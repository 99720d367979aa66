// Quarters of an hour since 1970, the grain in which spending is summed up: every time zone's day begins
// with one, so a day in any of them is a range of whole quarters.

export const quarterMs = 15 * 60_000;

export const quarterOf = (time: number): number => Math.floor(time / quarterMs);

/** Whether sums of whole quarters can answer for this time. */
export const isQuarter = (time: number): boolean => time % quarterMs === 0;
