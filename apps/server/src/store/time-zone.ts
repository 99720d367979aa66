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

export function stretches(from: number, to: number, zone: string): Stretch[] {
  const found: Stretch[] = [];
  let start = from;
  for (let year = yearOf(from); year <= yearOf(to); year++) {
    for (const change of changesIn(year, zone)) {
      if (change <= start || change >= to) continue;
      found.push({ from: start, to: change, offsetMs: offsetAt(start, zone) });
      start = change;
    }
  }
  if (start < to) found.push({ from: start, to, offsetMs: offsetAt(start, zone) });
  return found;
}

const yearOf = (time: number): number => new Date(time).getUTCFullYear();
const dayMs = 24 * 3_600_000;

/** When clocks change, by zone and year: they are looked at day by day, which takes milliseconds for a year. */
const changes = new Map<string, readonly number[]>();
const maxChanges = 1_000;

/** On a quarter of an hour: days are compared, and a change between two of them is then searched for. */
function changesIn(year: number, zone: string): readonly number[] {
  const name = `${zone} ${year}`;
  const known = changes.get(name);
  if (known !== undefined) return known;
  const found: number[] = [];
  const end = Date.UTC(year + 1, 0);
  let offset = offsetAt(Date.UTC(year, 0), zone);
  for (let day = Date.UTC(year, 0) + dayMs; day <= end; day += dayMs) {
    const next = offsetAt(day, zone);
    if (next !== offset) found.push(firstWith(day - dayMs, day, (time) => offsetAt(time, zone) === next));
    offset = next;
  }
  if (changes.size >= maxChanges) changes.clear();
  changes.set(name, found);
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

/** There are some 600 zones, but each can be written in upper and lower case in many ways. */
const maxFormats = 1_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  if (formats.size >= maxFormats) formats.clear();
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
