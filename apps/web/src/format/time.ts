// Times and durations for people. Durations keep one digit while it means something. Without Intl: see number.ts.
import { fixed } from "./number.ts";
import { formatTexts } from "./texts.ts";

export function formatDuration(ms: number): string {
  if (ms < 950) return `${fixed(Math.max(0, ms) / 1000, ms < 95 ? 2 : 1)} s`;
  if (ms < 9_950) return `${fixed(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return formatTexts.minutesAndSeconds(minutes, seconds % 60);
  return formatTexts.hoursAndMinutes(Math.floor(minutes / 60), minutes % 60);
}

/** What takes less seems to take no time, and a number would only be noise. */
export const isNoticeable = (ms: number): boolean => ms >= 100;

const two = (number: number): string => String(number).padStart(2, "0");
const hoursAndMinutes = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

/** Hours and minutes; empty when the worker gave no time worth the name. */
export function formatClock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : hoursAndMinutes(date);
}

/** "16 Nov 2026, 09:05:12". */
export function formatExact(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const month = formatTexts.months.split(" ")[date.getMonth()] ?? "";
  const day = formatTexts.date(date.getDate(), month, date.getFullYear());
  return `${day}, ${hoursAndMinutes(date)}:${two(date.getSeconds())}`;
}

export function formatAgo(time: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(time).getTime()) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 45) return formatTexts.now;
  if (seconds < 3_570) return formatTexts.minutes(Math.max(1, Math.round(seconds / 60)));
  if (seconds < 86_400) return formatTexts.hours(Math.round(seconds / 3600));
  return formatTexts.days(Math.round(seconds / 86_400));
}
