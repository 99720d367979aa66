// What a reader looks at: the element at the top edge of the view, as small as possible. While the reader does not scroll it
// stays where it is, whatever grows or shrinks above it.

export interface Anchor {
  element: Element;
  /** Its upper edge, in pixels below the upper edge of the view. */
  top: number;
  /** The row it is in, for when it is replaced: a row stays. */
  row: { element: Element; top: number };
}

/** Where the anchor was, and where it is now; null when even its row is gone. */
export function driftOf({ element, top, row }: Anchor, edge: number): number | null {
  const held = element.isConnected ? { element, top } : row;
  return held.element.isConnected ? held.element.getBoundingClientRect().top - edge - held.top : null;
}

/** An element of this height is a line or two: smaller elements are replaced while text streams. */
const smallEnough = 48;

export function findAnchor(rows: Iterable<Element>, edge: number): Anchor | null {
  const row = firstBelow(rows, edge);
  if (row === null) return null;
  let found = row;
  while (found.rect.top < edge && found.rect.height > smallEnough) {
    const next = firstBelow(found.element.children, edge);
    if (next === null) break;
    found = next;
  }
  return {
    element: found.element,
    top: found.rect.top - edge,
    row: { element: row.element, top: row.rect.top - edge },
  };
}

function firstBelow(elements: Iterable<Element>, edge: number): { element: Element; rect: DOMRect } | null {
  for (const element of elements) {
    const rect = element.getBoundingClientRect();
    if (rect.bottom > edge && rect.height > 0) return { element, rect };
  }
  return null;
}
