// A range as times: when it begins and ends in the viewer's time zone, what it is compared with, and the hours,
// days, months or years that a chart of it shows.
import { language } from "../../language/language.ts";
import type { DateRange } from "./view.ts";

export interface TimeSpan {
  from: Date;
  to: Date;
  /** As long as what has passed of the range, just before it; whole quarters of an hour. */
  previous: { from: Date; to: Date };
  /** What the server is asked for. */
  unit: "hour" | "day";
  /** As the server names hours and days; of a long range months and years, by what their days begin with. */
  buckets: readonly string[];
  /** The end is still to come. */
  live: boolean;
}

const quarterMs = 15 * 60_000;
/** More are more bars than a screen has room for: of more days the months are shown, of more months the years. */
const mostBars = 400;

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function spanOf(range: DateRange, now: Date): TimeSpan {
  const { from, days } = bounds(range, now);
  const to = addDays(from, days);
  const live = to > now;
  const passed = (live ? now.getTime() : to.getTime()) - from.getTime();
  const before = addDays(from, -days);
  const until = Math.floor((before.getTime() + passed) / quarterMs) * quarterMs;
  const dates = Array.from({ length: days }, (_, day) => dateOf(addDays(from, day)));
  const unit = days <= 2 ? "hour" : "day";
  return {
    from,
    to,
    previous: { from: before, to: new Date(Math.min(until, from.getTime())) },
    unit,
    buckets:
      unit === "day" ? coarse(dates) : dates.flatMap((date) => hours.map((hour) => `${date}T${hour}:00`)),
    live,
  };
}

/** Days, or the months or years that they are in. */
const coarse = (dates: readonly string[]): readonly string[] =>
  dates.length <= mostBars
    ? dates
    : [...new Set(dates.map((date) => date.slice(0, dates.length <= mostBars * 30 ? month : year)))];

/** How much of a date is its month, or its year. */
const month = "2026-05".length;
const year = "2026".length;

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

function bounds(range: DateRange, now: Date): { from: Date; days: number } {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  switch (range.kind) {
    case "today":
      return { from: today, days: 1 };
    case "7d":
      return { from: addDays(today, -6), days: 7 };
    case "30d":
      return { from: addDays(today, -29), days: 30 };
    case "custom": {
      const days = Math.round((Date.parse(range.to) - Date.parse(range.from)) / 86_400_000) + 1;
      return { from: new Date(`${range.from}T00:00`), days };
    }
  }
}

const addDays = (date: Date, days: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);

export function dateOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const locale = language === "de" ? "de-DE" : "en-US";
const shortDay = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", timeZone: "UTC" });
const fullDay = new Intl.DateTimeFormat(locale, {
  weekday: "short",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

const shortMonth = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone: "UTC" });

/** Buckets are clock readings, not times: they are printed as they are. */
export function bucketLabel(bucket: string): string {
  if (bucket.includes("T")) return bucket.slice(11);
  if (bucket.length === year) return bucket;
  const format = bucket.length === month ? shortMonth : shortDay;
  return format.format(new Date(`${bucket.padEnd(10, "-01")}T00:00Z`));
}

/** The days from the first of these buckets to the last, as far as they are in the range. */
export function daysBetween({ from, to }: Pick<TimeSpan, "from" | "to">, first: string, last: string): Days {
  const start = first.slice(0, 10).padEnd(10, "-01");
  const end =
    last.length === month
      ? dateOf(new Date(Number(last.slice(0, 4)), Number(last.slice(5)), 0))
      : last.length === year
        ? `${last}-12-31`
        : last.slice(0, 10);
  const [earliest, latest] = [dateOf(from), dateOf(addDays(to, -1))];
  return { from: start < earliest ? earliest : start, to: end > latest ? latest : end };
}

interface Days {
  from: string;
  to: string;
}

export function bucketTitle(bucket: string): string {
  if (bucket.length <= month) return bucketLabel(bucket);
  const day = fullDay.format(new Date(`${bucket.slice(0, 10)}T00:00Z`));
  if (!bucket.includes("T")) return day;
  const hour = Number(bucket.slice(11, 13));
  return `${day}, ${bucket.slice(11)}–${String(hour + 1).padStart(2, "0")}:00`;
}
