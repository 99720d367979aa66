// The offset of a time zone from UTC, and where it changes within a range: a day may have 23 or 25 hours, and a sum by day must
// respect that.

/** A part of a range with one offset. */
export interface OffsetRange {
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

export function offsetRanges(from: number, to: number, zone: string): OffsetRange[] {
  const found: OffsetRange[] = [];
  let start = from;
  const last = Math.min(yearOf(to), lastYear);
  for (let year = Math.max(yearOf(from), firstYear); year <= last; year++) {
    for (const change of changesIn(year, zone)) {
      if (change <= start || change >= to) continue;
      found.push({ from: start, to: change, offsetMs: offsetAt(start, zone) });
      start = change;
    }
  }
  if (start < to) found.push({ from: start, to, offsetMs: offsetAt(start, zone) });
  return found;
}

/** Clocks change within these years only. An import may have entries of any year, and each year takes milliseconds. */
const firstYear = 1970;
const lastYear = 2100;

const yearOf = (time: number): number => new Date(time).getUTCFullYear();
const dayMs = 24 * 3_600_000;

/** Offset changes by zone and year. Cached, because finding those of a year takes milliseconds. */
const changes = new Map<string, readonly number[]>();
const maxChanges = 1_000;

/** Compares the offsets of consecutive days, then searches the quarter of an hour of each change. */
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

/** There are about 600 zones, but a caller can write each in many combinations of upper and lower case. */
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
