// A long list of which only the rows near the view are on the page. Rows lie in the normal flow between two
// spacers. A reader is never moved: what turns out taller or shorter above the view is taken from the upper
// spacer, so that even the scroll position stays the same number; only at the very top it has to give way.

import { type Anchor, driftOf, findAnchor } from "./anchor.ts";
import { hearGestures } from "./gestures.ts";
import { ScrollOwner } from "./scroll-owner.ts";
import { setHeight } from "./spacer.ts";
import { heightIn, movedTo, type Row, type Span, spanAtEnd, spanBetween } from "./span.ts";

/** What React has to know. */
export interface RowsView {
  first: number;
  last: number;
  follows: boolean;
  /** Rows that came since the reader left the end and did not reach yet. */
  fresh: number;
}

export interface Parts {
  scroller: HTMLElement;
  above: HTMLElement;
  below: HTMLElement;
}

/** Pixels of rows kept ready beyond the view: more than a page, so that a wheel does not outrun the rendering. */
const ready = 1_000;
/** Rows are added when less than this is ready, and taken away when far more are; between, nothing is rendered. */
const least = 400;
const spareRows = 24;
/** A row that was asked for is shown with something of what stands before it. */
const showBelowTop = 72;

export class RowList {
  readonly #render: (now: boolean) => void;
  #rows: readonly Row[] = [];
  #heights = new Map<string, number>();
  readonly #elements = new Map<string, HTMLElement>();
  readonly #sizes = new ResizeObserver(() => this.settle(this.#rows, this.#span));
  #parts: Parts | null = null;
  #scroll: ScrollOwner | null = null;
  #span: Span;
  #view: RowsView;
  #anchor: Anchor | null = null;
  #target: string | null = null;
  #seen: number;
  #settling = false;

  constructor(rows: readonly Row[], render: (now: boolean) => void) {
    this.#render = render;
    this.#rows = rows;
    const { first, last } = spanAtEnd(rows.length, this.#heightOf, 2 * ready);
    this.#span = { first, last, above: this.#estimateAbove(first) };
    this.#view = { first, last, follows: true, fresh: 0 };
    this.#seen = rows.length;
  }

  get view(): RowsView {
    return this.#view;
  }

  /** Begins to own the scroll position of an element. */
  attach(parts: Parts): () => void {
    const { scroller } = parts;
    const scroll = new ScrollOwner(scroller, () => this.#tell());
    this.#parts = parts;
    this.#scroll = scroll;
    const scrolled = (): void => this.#scrolled();
    scroller.addEventListener("scroll", scrolled, { passive: true });
    const deaf = hearGestures(scroller, {
      upward: () => {
        scroll.upward();
        this.#look();
      },
      toStart: () => this.show(this.#rows[0]?.key ?? ""),
      toEnd: () => this.jump(),
    });
    this.#sizes.observe(scroller);
    return () => {
      deaf();
      scroller.removeEventListener("scroll", scrolled);
      this.#sizes.disconnect();
      this.#parts = this.#scroll = null;
    };
  }

  /** A row came onto the page; the answer is for when it leaves. */
  mount(key: string, element: HTMLElement): () => void {
    this.#elements.set(key, element);
    this.#sizes.observe(element);
    return () => {
      this.#sizes.unobserve(element);
      if (this.#elements.get(key) === element) this.#elements.delete(key);
    };
  }

  /** The rows that are to be rendered of this list: while the end is followed, always the last one too. */
  fit(rows: readonly Row[]): RowsView {
    const view = this.#view;
    const end = rows.length - 1;
    const last = view.follows || view.last > end ? end : view.last;
    const first = Math.max(0, Math.min(view.first, last));
    // Much may come at once, a whole conversation even: only its end is rendered.
    if (!view.follows || last - first <= view.last - view.first + spareRows) return { ...view, first, last };
    const heightOf = (index: number): number => heightIn(rows, this.#heights, index);
    return { ...view, ...spanAtEnd(rows.length, heightOf, 2 * ready) };
  }

  /** The page shows what was rendered: measures it, puts everything in its place, and asks for what is missing. */
  settle(rows: readonly Row[], { first, last }: Pick<RowsView, "first" | "last">): void {
    this.#rows = rows;
    this.#measure(first, last);
    if (this.#parts === null || this.#scroll === null) return;
    this.#settling = true;
    this.#span = { first, last, above: movedTo(this.#span, first, this.#heightOf) };
    this.#place();
    if (this.#target !== null) this.#showTarget();
    else if (!this.#scroll.follows) this.#keepPlace();
    this.#scroll.resized();
    if (this.#anchor === null) this.#look();
    this.#tell();
    this.#settling = false;
  }

  jump(): void {
    this.#target = null;
    const { first, last } = spanAtEnd(this.#rows.length, this.#heightOf, 2 * ready);
    if (first > this.#span.last) this.#span = { first, last, above: this.#estimateAbove(first) };
    this.#scroll?.jump();
    this.#change({ first, last, follows: true, fresh: 0 }, true);
    this.#scroll?.jump();
  }

  /** Brings a row into view, near its top; false when there is no such row. */
  show(key: string): boolean {
    const index = this.#rows.findIndex((row) => row.key === key);
    if (index === -1) return false;
    this.#target = key;
    const end = this.#rows.length - 1;
    const first = Math.max(0, index - 8);
    const last = Math.min(end, index + 16);
    this.#span = { first, last, above: this.#estimateAbove(first) };
    this.#change({ first, last, follows: false, fresh: 0 }, true);
    // Where these rows are on the page already, nothing was rendered.
    if (this.#target !== null) this.settle(this.#rows, this.#span);
    return true;
  }

  /** Goes on from a row that was asked for to a place in it, when that is out of view. */
  bring({ top, bottom }: DOMRect): void {
    const { scroller } = this.#parts ?? {};
    const view = scroller?.getBoundingClientRect();
    if (scroller === undefined || view === undefined || (top >= view.top && bottom <= view.bottom)) return;
    this.#scroll?.show(scroller.scrollTop + top - view.top - view.height / 3);
    this.#look();
  }

  readonly #heightOf = (index: number): number => heightIn(this.#rows, this.#heights, index);

  #estimateAbove(first: number): number {
    let above = 0;
    for (let index = 0; index < first; index++) above += this.#heightOf(index);
    return above;
  }

  #measure(first: number, last: number): void {
    for (let index = first; index <= last; index++) {
      const key = this.#rows[index]?.key ?? "";
      const element = this.#elements.get(key);
      if (element !== undefined) this.#heights.set(key, element.getBoundingClientRect().height);
    }
  }

  /** The spacers stand for the rows that are not there. */
  #place(): void {
    if (this.#parts === null) return;
    let below = 0;
    for (let index = this.#span.last + 1; index < this.#rows.length; index++)
      below += this.#rows[index]?.height ?? 0;
    setHeight(this.#parts.above, this.#span.above);
    setHeight(this.#parts.below, below);
  }

  /** What the reader looks at goes back to where it was. */
  #keepPlace(): void {
    const parts = this.#parts;
    if (parts === null || this.#scroll === null) return;
    const drift = this.#anchor && driftOf(this.#anchor, parts.scroller.getBoundingClientRect().top);
    if (drift === null || this.#anchor?.element.isConnected === false) this.#anchor = null;
    this.#span.above -= drift ?? 0;
    const { above, first } = this.#span;
    const impossible = above < 0 || (first === 0 && above !== 0);
    if (impossible) this.#span.above = 0;
    setHeight(parts.above, this.#span.above);
    if (impossible) this.#scroll.shift(-above);
  }

  #showTarget(): void {
    const parts = this.#parts;
    const element = this.#target === null ? undefined : this.#elements.get(this.#target);
    if (parts === null || element === undefined) return;
    this.#target = null;
    if (this.#span.first === 0 && this.#span.above !== 0) {
      this.#span.above = 0;
      setHeight(parts.above, 0);
    }
    const edge = parts.scroller.getBoundingClientRect().top;
    const top = element.getBoundingClientRect().top - edge;
    this.#scroll?.show(parts.scroller.scrollTop + top - showBelowTop);
    const held = { element, top: element.getBoundingClientRect().top - edge };
    this.#anchor = { ...held, row: held };
  }

  #scrolled(): void {
    this.#scroll?.scrolled();
    this.#look();
    this.#tell();
  }

  /** Remembers what the reader looks at. */
  #look(): void {
    const parts = this.#parts;
    if (parts === null || this.#scroll?.follows !== false) this.#anchor = null;
    else this.#anchor = findAnchor(this.#rendered(), parts.scroller.getBoundingClientRect().top);
  }

  *#rendered(): Generator<Element> {
    for (let index = this.#span.first; index <= this.#span.last; index++) {
      const element = this.#elements.get(this.#rows[index]?.key ?? "");
      if (element !== undefined) yield element;
    }
  }

  /** Tells React what has to be on the page, if that is something else than before. */
  #tell(): void {
    const { scroller, above } = this.#parts ?? {};
    if (scroller === undefined || above === undefined || this.#scroll === null || this.#target !== null)
      return;
    const { follows } = this.#scroll;
    const count = this.#rows.length;
    const top = scroller.scrollTop - above.offsetTop;
    const bottom = top + scroller.clientHeight;
    const rendered = this.#end();
    // Somebody who pulled the scroll bar far away wants that part of the whole, not so many pixels from here.
    const known = bottom < this.#span.above || top > rendered ? { first: 0, last: 0, above: 0 } : this.#span;
    const span = (pixels: number) => {
      if (follows) return spanAtEnd(count, this.#heightOf, scroller.clientHeight + pixels);
      return spanBetween(known, count, this.#heightOf, top - pixels, bottom + pixels);
    };
    const visible = span(0);
    this.#seen = follows ? count : Math.min(count, Math.max(this.#seen, visible.last + 1));
    const wanted = span(ready);
    if (known !== this.#span && !follows) {
      this.#anchor = null;
      this.#span = spanBetween(known, count, this.#heightOf, top - ready, bottom + ready);
      this.#change({ first: wanted.first, last: wanted.last, follows, fresh: count - this.#seen }, true);
      return;
    }
    const needed = span(least);
    const { first, last } = this.#span;
    const enough = first <= needed.first && last >= needed.last;
    const tooMany = last - first > wanted.last - wanted.first + spareRows;
    const missing = first > visible.first || last < visible.last;
    this.#change(
      {
        first: enough && !tooMany ? first : wanted.first,
        last: enough && !tooMany ? last : wanted.last,
        follows,
        fresh: count - this.#seen,
      },
      missing,
    );
  }

  /** Where the last rendered row ends. */
  #end(): number {
    let end = this.#span.above;
    for (let index = this.#span.first; index <= this.#span.last; index++) end += this.#heightOf(index);
    return end;
  }

  #change(view: RowsView, now: boolean): void {
    const { first, last, follows, fresh } = this.#view;
    if (first === view.first && last === view.last && follows === view.follows && fresh === view.fresh)
      return;
    this.#view = view;
    // While React commits, what is asked for is rendered right after, before anything is painted.
    this.#render(now && !this.#settling);
  }
}
