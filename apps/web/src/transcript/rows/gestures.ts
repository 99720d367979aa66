// The gestures by which a reader scrolls up, noticed before the browser has scrolled; and the two keys that lead to the
// ends, which a browser would scroll to through everything between.
const upKeys = new Set(["ArrowUp", "PageUp"]);

interface Gestures {
  upward(): void;
  toStart(): void;
  toEnd(): void;
}

export function onReaderGestures(element: HTMLElement, { upward, toStart, toEnd }: Gestures): () => void {
  let finger = 0;
  const wheel = (event: WheelEvent): void => {
    // Zooming with Ctrl is no scrolling, and a terminal inside may take the wheel for itself.
    if (event.deltaY < 0 && !event.ctrlKey && !scrollsInside(event.target, element)) upward();
  };
  const touch = (event: TouchEvent): void => {
    finger = event.touches[0]?.clientY ?? 0;
  };
  const drag = (event: TouchEvent): void => {
    const now = event.touches[0]?.clientY ?? finger;
    if (now > finger + 2 && !scrollsInside(event.target, element)) upward();
    finger = now;
  };
  const key = (event: KeyboardEvent): void => {
    if (event.target !== element) return;
    if (upKeys.has(event.key) || (event.key === " " && event.shiftKey)) upward();
    if (event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    if (event.key === "Home") toStart();
    else toEnd();
  };
  const passive = { passive: true };
  element.addEventListener("wheel", wheel, passive);
  element.addEventListener("touchstart", touch, passive);
  element.addEventListener("touchmove", drag, passive);
  element.addEventListener("keydown", key);
  return () => {
    element.removeEventListener("wheel", wheel);
    element.removeEventListener("touchstart", touch);
    element.removeEventListener("touchmove", drag);
    element.removeEventListener("keydown", key);
  };
}

/** Something between the target and the transcript has room to go up by itself. */
function scrollsInside(target: EventTarget | null, outer: HTMLElement): boolean {
  for (
    let at = target instanceof Element ? target : null;
    at !== null && at !== outer;
    at = at.parentElement
  ) {
    if (at.scrollHeight <= at.clientHeight + 1) continue;
    const { overflowY, flexDirection } = getComputedStyle(at);
    if (overflowY !== "auto" && overflowY !== "scroll") continue;
    // A reversed column counts from its end, downwards in negative numbers.
    const top =
      flexDirection === "column-reverse" ? at.scrollHeight - at.clientHeight + at.scrollTop : at.scrollTop;
    if (top > 0) return true;
  }
  return false;
}
