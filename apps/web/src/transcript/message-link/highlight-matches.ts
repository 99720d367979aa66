// Highlights the matches of a search without touching elements (the CSS Custom Highlight API), and scrolls to the first.
// A browser without that API shows the message without highlights.
import type { Matches } from "./match-context.ts";

/** More than a reader counts; a term of one letter in a long output has thousands. */
const most = 300;
/** For so long the first match is kept in view while cards load and rows near it are laid out. A gesture of the reader ends it. */
const bringMs = 2_500;
export const gesturesOfReader = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Keeps the matches highlighted while the element changes, until the returned function is called. */
export function highlightMatches(
  element: HTMLElement,
  matches: Matches,
  bring: (place: DOMRect) => void,
): () => void {
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
    ranges = rangesIn(element, matches.terms);
    for (const range of ranges) highlight.add(range);
    const first = ranges.find((range) => matches.call === null || isInCard(range, matches.call));
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
  for (const gesture of gesturesOfReader)
    window.addEventListener(gesture, moved, { capture: true, passive: true });
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
    for (const gesture of gesturesOfReader) window.removeEventListener(gesture, moved, { capture: true });
    clear();
  };
}

const isInCard = (range: Range, call: string): boolean =>
  range.startContainer.parentElement?.closest(`[id="${CSS.escape(`tool-${call}`)}"]`) !== null;

function rangesIn(element: HTMLElement, terms: readonly RegExp[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const term of terms) {
      for (const match of (node.textContent ?? "").matchAll(term)) {
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
export function scrollWithin(element: HTMLElement, range: Range): void {
  let at = range.startContainer.parentElement;
  for (; at !== null && at !== element; at = at.parentElement) {
    if (at.scrollHeight <= at.clientHeight + 1 || !/auto|scroll/.test(getComputedStyle(at).overflowY))
      continue;
    at.scrollTop += range.getBoundingClientRect().top - at.getBoundingClientRect().top - at.clientHeight / 2;
  }
}
