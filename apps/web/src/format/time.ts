// Times and durations for people. Durations keep one digit while it means something. Without Intl: see number.ts.
export function formatDuration(ms: number): string {
  if (ms < 950) return `${(Math.max(0, ms) / 1000).toFixed(ms < 95 ? 2 : 1)} s`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What takes less seems to take no time, and a number would only be noise. */
export const isNoticeable = (ms: number): boolean => ms >= 100;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
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
  const day = `${date.getDate()} ${months[date.getMonth()] ?? ""} ${date.getFullYear()}`;
  return `${day}, ${hoursAndMinutes(date)}:${two(date.getSeconds())}`;
}

export function formatAgo(time: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(time).getTime()) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 45) return "now";
  if (seconds < 3_570) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
