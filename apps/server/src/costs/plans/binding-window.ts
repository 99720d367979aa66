// Which window of a plan stops an agent first. Pure.
import type { PlanWindow } from "@patchbay/protocol";

export interface ToldWindow extends PlanWindow {
  /** When the agent told it. */
  told_at: string;
}

interface Binding {
  id: string;
  /** When it is used up at the pace since it began; null: not before it resets, or its length or reset is not known. */
  reached_at: string | null;
}

/** A window that has reset since it was told says nothing about now. */
export const hasReset = ({ resets_at }: PlanWindow, now: number): boolean =>
  resets_at !== undefined && Date.parse(resets_at) <= now;

/** One that is reached binds until it resets; then the one that will be reached first; else the one that is used most. */
export function bindingWindow(windows: readonly ToldWindow[], now: number): Binding | null {
  const known = windows
    .filter((window) => !hasReset(window, now))
    .filter(({ used_percent, status }) => used_percent !== undefined || status === "reached")
    .map((window) => ({ window, reached: reachedAt(window) }));
  const [first] = known.sort((a, b) => order(a) - order(b) || used(b.window) - used(a.window));
  if (first === undefined) return null;
  const { window, reached } = first;
  return {
    id: window.id,
    reached_at: reached === null ? null : new Date(Math.max(reached, now)).toISOString(),
  };
}

interface Known {
  window: ToldWindow;
  reached: number | null;
}

/** Of two that are reached, the one that resets later is the one that is waited for. */
const order = ({ window, reached }: Known): number => {
  if (isReached(window))
    return -(window.resets_at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(window.resets_at));
  return reached ?? Number.MAX_SAFE_INTEGER;
};

const isReached = ({ status, used_percent = 0 }: ToldWindow): boolean =>
  status === "reached" || used_percent >= 100;

const used = ({ used_percent = 100 }: ToldWindow): number => used_percent;

function reachedAt(window: ToldWindow): number | null {
  const told = Date.parse(window.told_at);
  if (isReached(window)) return told;
  const { used_percent = 0, minutes, resets_at } = window;
  if (minutes === undefined || resets_at === undefined || used_percent <= 0) return null;
  const resets = Date.parse(resets_at);
  const elapsed = told - (resets - minutes * 60_000);
  if (elapsed <= 0) return null;
  const reached = told + ((100 - used_percent) / used_percent) * elapsed;
  return reached < resets ? reached : null;
}
