// Finds where days and months begin in a time zone. All of them begin with a quarter of an hour, so they can be read from the sums.
import { offsetAt } from "./time-zone.ts";

/** The beginning of the day that contains `time`, plus `days`. */
export const dayStart = (time: number, zone: string, days = 0): number => {
  const { year, month, day } = dateAt(time, zone);
  return inZone(Date.UTC(year, month, day + days), zone);
};

export const monthStart = (time: number, zone: string, months = 0): number => {
  const { year, month } = dateAt(time, zone);
  return inZone(Date.UTC(year, month + months, 1), zone);
};

function dateAt(time: number, zone: string) {
  const local = new Date(time + offsetAt(time, zone));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth(), day: local.getUTCDate() };
}

/** Converts a local time to UTC. The second lookup is for an offset that changed in between. */
function inZone(local: number, zone: string): number {
  const guess = local - offsetAt(local, zone);
  return local - offsetAt(guess, zone);
}
