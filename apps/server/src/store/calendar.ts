// Where days and months begin in a time zone. All of them begin with a quarter of an hour, so the sums can
// answer for them.
import { offsetAt } from "./time-zone.ts";

/** The beginning of the day that `time` is in, or of one some days before or after it. */
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

/** When clocks there show `local`. The second look is for an offset that changed in between. */
function inZone(local: number, zone: string): number {
  const guess = local - offsetAt(local, zone);
  return local - offsetAt(guess, zone);
}
