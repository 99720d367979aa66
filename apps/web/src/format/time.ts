// Times and durations for people. Durations keep one digit while it means something.
export function formatDuration(ms: number): string {
  if (ms < 950) return `${(Math.max(0, ms) / 1000).toFixed(ms < 95 ? 2 : 1)} s`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Hours and minutes; empty when the worker gave no time worth the name. */
export function formatClock(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : clock.format(date);
}

export function formatExact(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : exact.format(date);
}

export function formatAgo(time: string, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - new Date(time).getTime()) / 1000);
  if (Number.isNaN(seconds)) return "";
  if (seconds < 45) return "now";
  if (seconds < 3_570) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
