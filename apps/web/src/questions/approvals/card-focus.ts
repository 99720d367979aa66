// Moves the focus to an approval when it appears, so that one key answers it; never away from someone who is typing.
import { type RefObject, useEffect } from "react";
import { activeSession } from "../../connection/open-feeds.ts";

/** Someone who paused for longer has seen the card. */
const typingMs = 2_000;
/** Keys that were on their way to another place when the focus moved are no answers. */
const settleMs = 400;

let lastTyped = Number.NEGATIVE_INFINITY;
let focusedAt = Number.NEGATIVE_INFINITY;

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

document.addEventListener(
  "keydown",
  ({ target, key }) => {
    if (!(target instanceof Element) || !isField(target)) return;
    lastTyped = key === "Enter" ? Number.NEGATIVE_INFINITY : performance.now(); // what was typed has been sent
  },
  { capture: true, passive: true },
);

/** A key that is pressed so soon was meant for what had the focus before. */
export const isTooSoon = (): boolean => performance.now() - focusedAt < settleMs;

/** Milliseconds until the focus may be taken; null: somebody uses it for something else. */
function waitForFocus(session: string): number | null {
  const { activeElement } = document;
  if (activeSession() !== session || document.querySelector('[role="dialog"]') !== null) return null;
  if (isField(activeElement) && activeElement.value !== "") return null;
  return Math.max(0, lastTyped + typingMs - performance.now());
}

export function useCardFocus(card: RefObject<HTMLElement | null>, session: string): void {
  useEffect(() => {
    const shown = card.current;
    if (shown === null || !matchMedia("(pointer: fine)").matches) return;
    let before: Element | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (): void => {
      const wait = waitForFocus(session);
      if (wait === null || shown.contains(document.activeElement)) return;
      if (wait > 0) timer = setTimeout(take, wait);
      else {
        before = document.activeElement;
        focusedAt = performance.now();
        shown.focus({ preventScroll: true });
      }
    };
    take();
    return () => {
      clearTimeout(timer);
      const isLost = document.activeElement === document.body || shown.contains(document.activeElement);
      if (isLost && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, [card, session]);
}
