// A long list of which only the rows near the view are on the page. Rows lie in the normal flow between two
// spacers. A reader is never moved: what turns out taller or shorter above the view is taken from the upper
// spacer, so that even the scroll position stays the same number; only at the very top it has to give way.
// Which rows these are is decided by rows-reducer.ts; here are the elements, their sizes and the scroll position.
import { type Anchor, driftOf, findAnchor } from "./anchor.ts";
import { onReaderGestures } from "./gestures.ts";
import {
  initialRows,
  type RowsEvent,
  type RowsState,
  type RowsView,
  reduceRows,
  spacersOf,
  viewOf,
} from "./rows-reducer.ts";
import { ScrollOwner } from "./scroll-owner.ts";
import { setHeight } from "./spacer.ts";
import type { ListRow } from "./span.ts";

export interface Parts {
  scroller: HTMLElement;
  above: HTMLElement;
  below: HTMLElement;
}

/** A row that was asked for is shown with a part of the row before it. */
const showBelowTop = 72;

export class RowList {
  readonly #render: (now: boolean) => void;
  readonly #elements = new Map<string, HTMLElement>();
  readonly #sizes = new ResizeObserver((entries) => this.#resized(entries));
  #state: RowsState;
  /** The view that React was asked to render last. */
  #requested: RowsView;
  #parts: Parts | null = null;
  #scroll: ScrollOwner | null = null;
  #anchor: Anchor | null = null;
  #settling = false;

  constructor(rows: readonly ListRow[], render: (now: boolean) => void) {
    this.#render = render;
    this.#state = initialRows(rows);
    this.#requested = this.#state.view;
  }

  /** Begins to own the scroll position of an element. */
  attach(parts: Parts): () => void {
    const { scroller } = parts;
    const scroll = new ScrollOwner(scroller, () => this.#updateView());
    this.#parts = parts;
    this.#scroll = scroll;
    const scrolled = (): void => this.#scrolled();
    scroller.addEventListener("scroll", scrolled, { passive: true });
    const removeGestures = onReaderGestures(scroller, {
      upward: () => {
        scroll.upward();
        this.#holdAnchor();
      },
      toStart: () => this.show(this.#state.rows[0]?.key ?? ""),
      toEnd: () => this.jump(),
    });
    this.#sizes.observe(scroller);
    return () => {
      removeGestures();
      scroller.removeEventListener("scroll", scrolled);
      this.#sizes.disconnect();
      this.#parts = this.#scroll = null;
    };
  }

  /** A row was added to the page; the returned function is for when it is removed. */
  mount(key: string, element: HTMLElement): () => void {
    this.#elements.set(key, element);
    this.#sizes.observe(element);
    return () => {
      this.#sizes.unobserve(element);
      if (this.#elements.get(key) === element) this.#elements.delete(key);
    };
  }

  /** What is to be rendered of this list. */
  viewOf(rows: readonly ListRow[]): RowsView {
    return viewOf(this.#state, rows);
  }

  /** The page shows what was rendered: measures it, puts everything in its place, and asks for what is missing. */
  settle(rows: readonly ListRow[], { first, last }: Pick<RowsView, "first" | "last">): void {
    this.#reduce({ type: "rendered", rows, first, last, measured: this.#measured(rows, first, last) });
    if (this.#parts === null || this.#scroll === null) return;
    this.#settling = true;
    const { above, below } = spacersOf(this.#state);
    setHeight(this.#parts.above, above);
    setHeight(this.#parts.below, below);
    if (this.#state.target !== null) this.#showTarget();
    else if (!this.#scroll.follows) this.#keepPlace();
    this.#scroll.resized();
    if (this.#anchor === null) this.#holdAnchor();
    this.#updateView();
    this.#settling = false;
  }

  jump(): void {
    this.#reduce({ type: "end requested" });
    this.#scroll?.jump();
    this.#requestRender(true);
    this.#scroll?.jump();
  }

  /** Brings a row into view, near its top; false when there is no such row. */
  show(key: string): boolean {
    this.#reduce({ type: "row requested", key });
    if (this.#state.target !== key) return false;
    this.#requestRender(true);
    // Where these rows are on the page already, nothing was rendered.
    if (this.#state.target !== null) this.settle(this.#state.rows, this.#state.span);
    return true;
  }

  /** Goes on from a row that was asked for to a place in it, when that is out of view. */
  bring({ top, bottom }: DOMRect): void {
    const { scroller } = this.#parts ?? {};
    const view = scroller?.getBoundingClientRect();
    if (scroller === undefined || view === undefined || (top >= view.top && bottom <= view.bottom)) return;
    this.#scroll?.show(scroller.scrollTop + top - view.top - view.height / 3);
    this.#holdAnchor();
  }

  /** Rows that React has just rendered were measured then: while an answer streams, nothing else has another size. */
  #resized(entries: readonly ResizeObserverEntry[]): void {
    const isKnown = ({ target, borderBoxSize }: ResizeObserverEntry): boolean => {
      const key = target instanceof HTMLElement ? target.dataset["row"] : undefined;
      const known = key === undefined ? undefined : this.#state.heights.get(key);
      const height = borderBoxSize[0]?.blockSize;
      return known !== undefined && height !== undefined && Math.abs(known - height) < 0.05;
    };
    if (!entries.every(isKnown)) this.settle(this.#state.rows, this.#state.span);
  }

  #reduce(event: RowsEvent): void {
    this.#state = reduceRows(this.#state, event);
  }

  #measured(rows: readonly ListRow[], first: number, last: number): (readonly [string, number])[] {
    return rows.slice(first, last + 1).flatMap(({ key }) => {
      const element = this.#elements.get(key);
      return element === undefined ? [] : [[key, element.getBoundingClientRect().height] as const];
    });
  }

  /** What the reader looks at goes back to where it was. */
  #keepPlace(): void {
    const parts = this.#parts;
    if (parts === null || this.#scroll === null) return;
    const drift = this.#anchor && driftOf(this.#anchor, parts.scroller.getBoundingClientRect().top);
    if (drift === null || this.#anchor?.element.isConnected === false) this.#anchor = null;
    const wanted = this.#state.span.above - (drift ?? 0);
    this.#reduce({ type: "drifted", pixels: drift ?? 0 });
    const { above } = this.#state.span;
    setHeight(parts.above, above);
    if (above !== wanted) this.#scroll.shift(above - wanted);
  }

  #showTarget(): void {
    const parts = this.#parts;
    const element = this.#elements.get(this.#state.target ?? "");
    if (parts === null || element === undefined) return;
    this.#reduce({ type: "row shown" });
    setHeight(parts.above, this.#state.span.above);
    const edge = parts.scroller.getBoundingClientRect().top;
    const top = element.getBoundingClientRect().top - edge;
    this.#scroll?.show(parts.scroller.scrollTop + top - showBelowTop);
    const held = { element, top: element.getBoundingClientRect().top - edge };
    this.#anchor = { ...held, row: held };
  }

  #scrolled(): void {
    if (this.#scroll?.scrolled() !== true) return;
    this.#holdAnchor();
    this.#updateView();
  }

  /** Remembers what the reader looks at. */
  #holdAnchor(): void {
    const parts = this.#parts;
    if (parts === null || this.#scroll?.follows !== false) this.#anchor = null;
    else this.#anchor = findAnchor(this.#elementsOnPage(), parts.scroller.getBoundingClientRect().top);
  }

  *#elementsOnPage(): Generator<Element> {
    const { rows, span } = this.#state;
    for (let index = span.first; index <= span.last; index++) {
      const element = this.#elements.get(rows[index]?.key ?? "");
      if (element !== undefined) yield element;
    }
  }

  /** Asks React for the rows that have to be on the page now, if these are others than before. */
  #updateView(): void {
    if (this.#parts === null || this.#scroll === null) return;
    const { scroller, above } = this.#parts;
    const { span } = this.#state;
    this.#reduce({
      type: "scrolled",
      top: scroller.scrollTop - above.offsetTop,
      height: scroller.clientHeight,
      follows: this.#scroll.follows,
      atEnd: this.#scroll.isAtEnd,
    });
    // The reader is somewhere else: what was looked at is not on the page any more.
    if (this.#state.span !== span) this.#anchor = null;
    this.#requestRender(this.#state.urgent);
  }

  #requestRender(now: boolean): void {
    if (this.#requested === this.#state.view) return;
    this.#requested = this.#state.view;
    // While React commits, what is asked for is rendered right after, before anything is painted.
    this.#render(now && !this.#settling);
  }
}
