// What a reader looks at: the element at the top edge of the view, as small as possible. While nobody scrolls it
// stays where it is, whatever grows or shrinks above it.

export interface Anchor {
  element: Element;
  /** Its upper edge, in pixels below the upper edge of the view. */
  top: number;
}

/** An element of this height is a line or two: looking deeper finds words, and words are replaced while they stream. */
const smallEnough = 48;

export function findAnchor(rows: Iterable<Element>, edge: number): Anchor | null {
  let found: { element: Element; rect: DOMRect } | null = null;
  let candidates: Iterable<Element> = rows;
  for (;;) {
    const next = firstBelow(candidates, edge);
    if (next === null) break;
    found = next;
    if (next.rect.top >= edge || next.rect.height <= smallEnough) break;
    candidates = next.element.children;
  }
  return found === null ? null : { element: found.element, top: found.rect.top - edge };
}

function firstBelow(elements: Iterable<Element>, edge: number): { element: Element; rect: DOMRect } | null {
  for (const element of elements) {
    const rect = element.getBoundingClientRect();
    if (rect.bottom > edge && rect.height > 0) return { element, rect };
  }
  return null;
}
