// Finds where days and months begin in a time zone, and the same time of another day. Days and months begin with a quarter of an hour,
// so they can be read from the sums.
import { offsetAt } from "./time-zone.ts";

const dayMs = 24 * 3_600_000;

/** The beginning of the day that contains `time`, plus `days`. */
export const dayStart = (time: number, zone: string, days = 0): number => {
  const { year, month, day } = dateAt(time, zone);
  return fromLocal(Date.UTC(year, month, day + days), zone);
};

/** The beginning of the week that contains `time`, plus `weeks`. A week begins on Monday. */
export const weekStart = (time: number, zone: string, weeks = 0): number => {
  const { year, month, day, weekday } = dateAt(time, zone);
  return fromLocal(Date.UTC(year, month, day - ((weekday + 6) % 7) + 7 * weeks), zone);
};

export const monthStart = (time: number, zone: string, months = 0): number => {
  const { year, month } = dateAt(time, zone);
  return fromLocal(Date.UTC(year, month + months, 1), zone);
};

/** The beginning of a day that is written as `2026-11-18`. */
export const dateStart = (date: string, zone: string): number => fromLocal(Date.parse(date), zone);

/** What the clocks showed as they do at `time`, so many days before. */
export const daysBefore = (time: number, zone: string, days: number): number =>
  fromLocal(time + offsetAt(time, zone) - days * dayMs, zone);

/** What the clocks showed on the same day of the month before; in a shorter month, its end. */
export function monthBefore(time: number, zone: string): number {
  const { year, month, day, sinceMidnight } = dateAt(time, zone);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day > lastDay) return monthStart(time, zone);
  return fromLocal(Date.UTC(year, month - 1, day) + sinceMidnight, zone);
}

function dateAt(time: number, zone: string) {
  const shown = time + offsetAt(time, zone);
  const local = new Date(shown);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth(),
    day: local.getUTCDate(),
    weekday: local.getUTCDay(),
    sinceMidnight: shown - Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()),
  };
}

/**
 * The moment at which the clocks of the zone show `local`, which is written as if it were UTC. Clocks that are set back show it twice:
 * the first time counts. Clocks that are set forward may skip it, also at midnight (Havana, Santiago): the moment of the skip counts.
 */
function fromLocal(local: number, zone: string): number {
  const before = local - offsetAt(local - dayMs, zone);
  const after = local - offsetAt(local + dayMs, zone);
  if (before === after) return before;
  const shows = (time: number): boolean => time + offsetAt(time, zone) === local;
  if (shows(before)) return before;
  return shows(after) ? after : before;
}
