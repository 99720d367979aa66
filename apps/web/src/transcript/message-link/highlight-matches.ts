// Marks words on the page without touching its elements (the CSS Custom Highlight API), and shows the first of them.
// A browser without it shows the place, unmarked.

/** More than anybody counts; a word of one letter in a long output has thousands. */
const most = 300;
/** Cards are loaded when they are first opened, and what stands around a place is laid out when it is near; whoever has read that long, or has moved, is not moved any more. */
const bringMs = 2_500;
const gestures = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

export interface Found {
  words: readonly RegExp[];
  /** The card that says them; null: the words of the entry itself. */
  call: string | null;
}

/** Keeps the words marked while what is shown changes, until the answer is called. */
export function markWords(element: HTMLElement, found: Found, bring: (place: DOMRect) => void): () => void {
  if (typeof Highlight === "undefined") return () => {};
  const highlight = CSS.highlights.get("found") ?? new Highlight();
  CSS.highlights.set("found", highlight);
  let until = performance.now() + bringMs;
  let ranges: Range[] = [];
  let frame = 0;
  let keeping = 0;
  const clear = (): void => {
    for (const range of ranges) highlight.delete(range);
  };
  const mark = (): void => {
    frame = 0;
    clear();
    ranges = rangesIn(element, found.words);
    for (const range of ranges) highlight.add(range);
    const first = ranges.find((range) => found.call === null || isInCard(range, found.call));
    if (first === undefined) return;
    cancelAnimationFrame(keeping);
    if (performance.now() < until) scrollWithin(element, first);
    keepInView(first);
  };
  const keepInView = (range: Range): void => {
    if (performance.now() > until) return;
    bring(range.getBoundingClientRect());
    keeping = requestAnimationFrame(() => keepInView(range));
  };
  const moved = (): void => {
    until = 0;
  };
  for (const gesture of gestures) window.addEventListener(gesture, moved, { capture: true, passive: true });
  const again = (): void => {
    if (frame === 0) frame = requestAnimationFrame(mark);
  };
  const observer = new MutationObserver(again);
  observer.observe(element, { subtree: true, childList: true, characterData: true });
  again();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
    cancelAnimationFrame(keeping);
    for (const gesture of gestures) window.removeEventListener(gesture, moved, { capture: true });
    clear();
  };
}

const isInCard = (range: Range, call: string): boolean =>
  range.startContainer.parentElement?.closest(`[id="${CSS.escape(`tool-${call}`)}"]`) !== null;

function rangesIn(element: HTMLElement, words: readonly RegExp[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const word of words) {
      for (const match of (node.textContent ?? "").matchAll(word)) {
        if (ranges.length >= most) return ranges;
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

/** A terminal or a file scrolls by itself. */
function scrollWithin(element: HTMLElement, range: Range): void {
  let at = range.startContainer.parentElement;
  for (; at !== null && at !== element; at = at.parentElement) {
    if (at.scrollHeight <= at.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(at).overflowY))
      continue;
    at.scrollTop += range.getBoundingClientRect().top - at.getBoundingClientRect().top - at.clientHeight / 2;
  }
}
