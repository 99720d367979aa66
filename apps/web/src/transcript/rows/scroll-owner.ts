// The one owner of the transcript's scroll position. It follows the end until the reader goes up, by whatever
// gesture, and follows again once the reader is back at the end. Nothing else may set scrollTop.

/** The parts of an element that matter here. */
export interface Scrolled {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Closer to the end than this counts as the end: about one line, and fractions of device pixels. */
const slack = 24;
/** A reader who went up by a line wants to see that there is more. */
const endSlack = 4;

export class ScrollOwner {
  readonly #element: Scrolled;
  readonly #onFollow: (follows: boolean) => void;
  #follows = true;
  #lastTop = 0;
  #lastHeight = 0;
  #lastRoom = 0;

  constructor(element: Scrolled, onFollow: (follows: boolean) => void) {
    this.#element = element;
    this.#onFollow = onFollow;
  }

  get follows(): boolean {
    return this.#follows;
  }

  /** What is below the view is less than a line's space. */
  get isAtEnd(): boolean {
    return this.#follows || this.#distance() <= endSlack;
  }

  /** The content or the window changed its size. */
  resized(): void {
    // Where everything is in view there is no end to go to.
    if (!this.#follows && this.#element.scrollHeight <= this.#element.clientHeight) this.#set(true);
    if (this.#follows) this.#toEnd();
    else this.#remember();
  }

  /** The element was scrolled, by the reader or by the page; false: by following the end, which is known already. */
  scrolled(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#element;
    if (this.#follows && scrollTop === this.#lastTop && scrollHeight === this.#lastHeight) return false;
    // Content that shrank moves the position up as well, and so does a view that grew (a composer that was emptied): only a move
    // within the same heights is the reader's.
    const isSameSize = scrollHeight >= this.#lastHeight && clientHeight <= this.#lastRoom;
    const movedUp = scrollTop < this.#lastTop - 1 && isSameSize;
    if (movedUp) this.#set(false);
    // A reader who went up by less than the slack is near the end and does not want to follow it.
    else if (scrollTop > this.#lastTop && this.#distance() <= slack) this.#set(true);
    this.#remember();
    return true;
  }

  /** A wheel, finger or key is about to go up: while an answer streams, its end would be faster than the scroll. */
  upward(): void {
    if (this.#element.scrollHeight > this.#element.clientHeight) this.#set(false);
  }

  jump(): void {
    this.#set(true);
    this.#toEnd();
  }

  /** Goes to a place that the reader asked for. */
  show(top: number): void {
    this.#set(this.#element.scrollHeight <= this.#element.clientHeight);
    this.#element.scrollTop = top;
    this.#remember();
  }

  /** The content above the view is that much taller than estimated; the reader sees no difference. */
  shift(pixels: number): void {
    this.#element.scrollTop += pixels;
    this.#remember();
  }

  #distance(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.#element;
    return scrollHeight - clientHeight - scrollTop;
  }

  #toEnd(): void {
    this.#element.scrollTop = this.#element.scrollHeight;
    this.#remember();
  }

  #remember(): void {
    this.#lastTop = this.#element.scrollTop;
    this.#lastHeight = this.#element.scrollHeight;
    this.#lastRoom = this.#element.clientHeight;
  }

  #set(follows: boolean): void {
    if (follows === this.#follows) return;
    this.#follows = follows;
    this.#onFollow(follows);
  }
}
