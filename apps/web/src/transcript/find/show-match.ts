// Highlights a text wherever it is on the page, and the match that the reader went to once more, which is brought into view:
// rows are mounted, cards opened and evicted answers fetched before it is there. Highlights of the browser (CSS Custom
// Highlights) change no element; a browser without them shows the row.
import { gesturesOfReader, scrollWithin } from "../message-link/highlight-matches.ts";
import type { FindMatch } from "./find-matches.ts";

type ShownPlace = Pick<FindMatch, "key" | "call" | "nth">;

const most = 2_000;
/** For so long the match is kept in view while rows and cards around it are laid out. */
const bringMs = 2_500;
const skipped = "header, figcaption, time, [data-turn], [role=status], .sr-only";
const blockElements = "p, li, h1, h2, h3, h4, h5, h6, td, th, pre, div, blockquote, button, article";

export function showMatches(
  scroller: HTMLElement,
  term: RegExp,
  current: ShownPlace | null,
  bring: (place: DOMRect) => void,
): () => void {
  const hasHighlights = typeof Highlight !== "undefined";
  let until = performance.now() + bringMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const mark = (): void => {
    timer = undefined;
    const { all, chosen } = rangesIn(scroller, term, current);
    if (hasHighlights) {
      CSS.highlights.set("found", new Highlight(...all));
      const now = new Highlight(...(chosen === null ? [] : [chosen]));
      now.priority = 1;
      CSS.highlights.set("found-current", now);
    }
    cancelAnimationFrame(frame);
    if (chosen !== null && performance.now() < until) {
      scrollWithin(scroller, chosen);
      keepInView(chosen);
    }
  };
  const keepInView = (range: Range): void => {
    if (performance.now() > until || !range.startContainer.isConnected) return;
    bring(range.getBoundingClientRect());
    frame = requestAnimationFrame(() => keepInView(range));
  };
  const moved = (event: Event): void => {
    // Typing into the bar moves nothing.
    if (event.type !== "keydown" || (event.target instanceof Node && scroller.contains(event.target)))
      until = 0;
  };
  const again = (): void => {
    timer ??= setTimeout(mark, 60);
  };
  const observer = new MutationObserver(again);
  observer.observe(scroller, { subtree: true, childList: true, characterData: true });
  for (const gesture of gesturesOfReader)
    scroller.addEventListener(gesture, moved, { capture: true, passive: true });
  mark();
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    for (const gesture of gesturesOfReader) scroller.removeEventListener(gesture, moved, { capture: true });
    if (hasHighlights) for (const name of ["found", "found-current"]) CSS.highlights.delete(name);
  };
}

interface Found {
  all: Range[];
  chosen: Range | null;
}

function rangesIn(scroller: HTMLElement, term: RegExp, current: ShownPlace | null): Found {
  const all: Range[] = [];
  let chosen: Range | null = null;
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-row]")) {
    const ranges = rangesInRow(row, term, most - all.length);
    all.push(...ranges);
    if (current !== null && row.dataset["row"] === current.key) chosen = choose(row, ranges, current);
  }
  return { all, chosen };
}

/** The text of the page is not exactly the one that was counted: a card repeats its command, or shows a difference. */
function choose(row: HTMLElement, ranges: readonly Range[], { call, nth }: ShownPlace): Range | null {
  const within = (selector: string) => (range: Range) =>
    range.startContainer.parentElement?.closest(selector) !== null;
  const own =
    call === null
      ? ranges.filter((range) => !within("[data-tool]")(range))
      : ranges.filter(within(`[id="${CSS.escape(`tool-${call}`)}"]`));
  const found = own[Math.min(nth, own.length - 1)];
  if (found !== undefined) return found;
  const line = call === null ? null : row.querySelector(`[aria-controls="${CSS.escape(`tool-${call}`)}"]`);
  return line === null ? null : rangeOf(line);
}

function rangeOf(element: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range;
}

/** A text may be spread over several elements of one block, as where a part of it is bold. */
function rangesInRow(row: HTMLElement, term: RegExp, limit: number): Range[] {
  const nodes: { node: Node; start: number }[] = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || parent.closest(skipped) !== null) continue;
    const own = parent.closest(blockElements);
    if (own !== block) text += "\n";
    block = own;
    nodes.push({ node, start: text.length });
    text += node.textContent ?? "";
  }
  const ranges: Range[] = [];
  for (const match of text.matchAll(term)) {
    if (ranges.length >= limit) break;
    const start = placeAt(nodes, match.index);
    const end = placeAt(nodes, match.index + match[0].length - 1);
    if (start === null || end === null) continue;
    const range = document.createRange();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    ranges.push(range);
  }
  return ranges;
}

function placeAt(
  nodes: readonly { node: Node; start: number }[],
  at: number,
): { node: Node; offset: number } | null {
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((nodes[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  const found = nodes[low];
  const offset = at - (found?.start ?? 0);
  return found === undefined || offset < 0 || offset >= (found.node.textContent?.length ?? 0)
    ? null
    : { node: found.node, offset };
}
