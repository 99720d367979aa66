// A swipe with one finger, as opposed to scrolling, selecting and dragging something sideways.
import { type RefObject, useEffect } from "react";

export type Direction = "left" | "right";

interface Touched {
  x: number;
  y: number;
  time: number;
}

/** A thumb's width and a half; shorter ones are taps that slipped. */
const minDistance = 70;
/** Slower ones follow the line that is being read. */
const maxMs = 600;

export function swipeOf(from: Touched, to: Touched): Direction | null {
  const across = to.x - from.x;
  const along = Math.abs(to.y - from.y);
  if (Math.abs(across) < minDistance || Math.abs(across) < 2 * along || to.time - from.time > maxMs)
    return null;
  return across > 0 ? "right" : "left";
}

/** Code, tables and diffs scroll sideways themselves. */
function scrollsAcross(target: EventTarget | null, within: Element): boolean {
  for (
    let at = target instanceof Element ? target : null;
    at !== null && at !== within;
    at = at.parentElement
  ) {
    if (at.scrollWidth <= at.clientWidth + 1) continue;
    if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  }
  return false;
}

export function useSwipe(area: RefObject<HTMLElement | null>, onSwipe: (direction: Direction) => void): void {
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    let from: Touched | null = null;
    const begin = (event: TouchEvent): void => {
      const [touch] = event.touches;
      from =
        event.touches.length !== 1 || touch === undefined || scrollsAcross(event.target, element)
          ? null
          : { x: touch.clientX, y: touch.clientY, time: event.timeStamp };
    };
    const end = (event: TouchEvent): void => {
      const [touch] = event.changedTouches;
      if (from === null || touch === undefined) return;
      const to = { x: touch.clientX, y: touch.clientY, time: event.timeStamp };
      const direction = getSelection()?.isCollapsed === false ? null : swipeOf(from, to);
      from = null;
      if (direction !== null) onSwipe(direction);
    };
    element.addEventListener("touchstart", begin, { passive: true });
    element.addEventListener("touchend", end, { passive: true });
    return () => {
      element.removeEventListener("touchstart", begin);
      element.removeEventListener("touchend", end);
    };
  }, [area, onSwipe]);
}
