// How far a time zone is from UTC, and where within a range that changes: a day there may have 23 or 25
// hours, and a sum by day must not be off by one of them.

/** A part of a range in which the zone's offset is the same. */
export interface Stretch {
  from: number | undefined;
  to: number | undefined;
  offsetMs: number;
}

const quarterMs = 15 * 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false; // Intl knows no such zone
  }
}

export function offsetAt(time: number, zone: string): number {
  const parts = formatOf(zone).formatToParts(time);
  const part = (type: string): number => Number(parts.find((found) => found.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(time / 1000) * 1000;
}

/** Clocks change at most twice a year, on a quarter of an hour: days are compared, and a change is then searched for. */
export function stretches(from: number, to: number, zone: string): Stretch[] {
  const dayMs = 24 * 3_600_000;
  const found: Stretch[] = [];
  let start = from;
  let offsetMs = offsetAt(from, zone);
  for (let day = from + dayMs; start < to; day += dayMs) {
    const at = Math.min(day, to);
    const next = offsetAt(at, zone);
    if (next !== offsetMs) {
      const change = firstWith(at - dayMs, at, (time) => offsetAt(time, zone) === next);
      found.push({ from: start, to: Math.min(change, to), offsetMs });
      start = change;
      offsetMs = next;
    }
    if (at >= to) break;
  }
  if (start < to) found.push({ from: start, to, offsetMs });
  return found;
}

function firstWith(low: number, high: number, holds: (time: number) => boolean): number {
  let before = Math.floor(low / quarterMs);
  let after = Math.ceil(high / quarterMs);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (holds(middle * quarterMs)) after = middle;
    else before = middle;
  }
  return after * quarterMs;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(zone, format);
  return format;
}
