// Which rows of a long list are on the page, as a reducer: each event (rows were rendered, the reader scrolled, a row was
// asked for) makes the next state. Pure; row-list.ts turns the page's events into these and carries out what they decide.
import { RowHeights } from "./row-heights.ts";
import { heightIn, type ListRow, movedTo, type RowSpan, spanAtEnd, spanBetween } from "./span.ts";

/** What React has to render. */
export interface RowsView {
  first: number;
  last: number;
  follows: boolean;
  /** Nothing is below the view: there is no end to go to. */
  atEnd: boolean;
  /** Rows that were added since the reader left the end, and that the reader has not reached yet. */
  fresh: number;
}

export interface RowsState {
  rows: readonly ListRow[];
  /** Of rows that were on the page once; others have an estimated height. */
  heights: RowHeights;
  /** The rows on the page, and where the first of them begins. */
  span: RowSpan;
  /** The same object for as long as it holds the same values. */
  view: RowsView;
  /** Rows in sight are missing: the newest change of `view` cannot wait for the next frame. */
  urgent: boolean;
  /** A row that was asked for and is not in view yet. Until it is, scrolling changes nothing. */
  target: string | null;
  /** How many rows, from the first one, the reader has reached. */
  seen: number;
}

export type RowsEvent =
  /** React has rendered these rows of this list, and they were measured. */
  | {
      type: "rendered";
      rows: readonly ListRow[];
      first: number;
      last: number;
      measured: readonly (readonly [key: string, height: number])[];
    }
  /** What the reader looks at has moved down by so many pixels, without the reader's doing. */
  | { type: "drifted"; pixels: number }
  /** The view is at `top`, in pixels from the beginning of the list, and follows the end or not. */
  | { type: "scrolled"; top: number; height: number; follows: boolean; atEnd?: boolean }
  | { type: "end requested" }
  | { type: "row requested"; key: string }
  /** The row that was asked for is in view. */
  | { type: "row shown" };

/** Pixels of rows kept ready beyond the view: more than a page, so that a wheel does not outrun the rendering. */
const readyPixels = 1_000;
/** Rows are added when less than this is ready, and removed when far more are; between, nothing is rendered. */
const leastPixels = 400;
const spareRows = 24;
/** Rows rendered before and after a row that was asked for. */
const rowsBefore = 8;
const rowsAfter = 16;

const listStart: RowSpan = { first: 0, last: 0, above: 0 };

export function initialRows(rows: readonly ListRow[]): RowsState {
  const heights = RowHeights.none;
  const { first, last } = spanAtEnd(rows.length, (index) => heightIn(rows, heights, index), 2 * readyPixels);
  const state: RowsState = {
    rows,
    heights,
    span: { first, last, above: 0 },
    view: { first, last, follows: true, atEnd: true, fresh: 0 },
    urgent: false,
    target: null,
    seen: rows.length,
  };
  return { ...state, span: { first, last, above: estimatedAbove(state, first) } };
}

export function reduceRows(state: RowsState, event: RowsEvent): RowsState {
  switch (event.type) {
    case "rendered": {
      const { rows, first, last } = event;
      const next = { ...state, rows, heights: state.heights.with(event.measured) };
      return { ...next, span: { first, last, above: movedTo(state.span, first, heightOf(next)) } };
    }
    case "drifted":
      return { ...state, span: withoutDrift(state.span, event.pixels) };
    case "scrolled":
      return state.target === null ? scrolledTo(state, event) : state;
    case "end requested": {
      const { first, last } = spanAtEnd(state.rows.length, heightOf(state), 2 * readyPixels);
      const isFar = first > state.span.last;
      const span = isFar ? { first, last, above: estimatedAbove(state, first) } : state.span;
      const view = changed(state.view, { first, last, follows: true, atEnd: true, fresh: 0 });
      return { ...state, span, view, urgent: true, target: null };
    }
    case "row requested": {
      const index = state.rows.findIndex((row) => row.key === event.key);
      if (index === -1) return state;
      const first = Math.max(0, index - rowsBefore);
      const last = Math.min(state.rows.length - 1, index + rowsAfter);
      const view = changed(state.view, { first, last, follows: false, atEnd: false, fresh: 0 });
      const span = { first, last, above: estimatedAbove(state, first) };
      return { ...state, span, view, urgent: true, target: event.key };
    }
    case "row shown":
      return {
        ...state,
        target: null,
        span: state.span.first === 0 ? { ...state.span, above: 0 } : state.span,
      };
  }
}

/** The rows of a newer list that are to be rendered: while the end is followed, always the last one too. */
export function viewOf({ view, heights }: RowsState, rows: readonly ListRow[]): RowsView {
  const end = rows.length - 1;
  const last = view.follows || view.last > end ? end : view.last;
  const first = Math.max(0, Math.min(view.first, last));
  // Many rows may be added at once, a whole conversation even: only its end is rendered.
  if (!view.follows || last - first <= view.last - view.first + spareRows) return { ...view, first, last };
  return {
    ...view,
    ...spanAtEnd(rows.length, (index) => heightIn(rows, heights, index), 2 * readyPixels),
  };
}

/** The spacers stand for the rows that are not on the page. */
export function spacersOf({ rows, span }: RowsState): { above: number; below: number } {
  let below = 0;
  for (let index = span.last + 1; index < rows.length; index++) below += rows[index]?.height ?? 0;
  return { above: span.above, below };
}

function scrolledTo(
  state: RowsState,
  { top, height, follows, atEnd = follows }: Extract<RowsEvent, { type: "scrolled" }>,
): RowsState {
  const { span, rows, view } = state;
  const count = rows.length;
  const bottom = top + height;
  // A reader who pulled the scroll bar far away wants that part of the whole list, not so many pixels from here.
  const isFar = !follows && (bottom < span.above || top > endOf(state));
  const between = (margin: number): RowSpan =>
    spanBetween(isFar ? listStart : span, count, heightOf(state), top - margin, bottom + margin);
  const within = (margin: number): Pick<RowSpan, "first" | "last"> =>
    follows ? spanAtEnd(count, heightOf(state), height + margin) : between(margin);
  const visible = within(0);
  const seen = follows ? count : Math.min(count, Math.max(state.seen, visible.last + 1));
  const fresh = count - seen;
  if (isFar) {
    const wanted = between(readyPixels);
    const { first, last } = wanted;
    return {
      ...state,
      seen,
      span: wanted,
      view: changed(view, { first, last, follows, atEnd, fresh }),
      urgent: true,
    };
  }
  const wanted = within(readyPixels);
  const needed = within(leastPixels);
  const enough = span.first <= needed.first && span.last >= needed.last;
  const tooMany = span.last - span.first > wanted.last - wanted.first + spareRows;
  const { first, last } = enough && !tooMany ? span : wanted;
  return {
    ...state,
    seen,
    view: changed(view, { first, last, follows, atEnd, fresh }),
    urgent: span.first > visible.first || span.last < visible.last,
  };
}

/** Takes a drift out of the space above. Where it cannot be taken from there, the rest has to be scrolled. */
function withoutDrift(span: RowSpan, pixels: number): RowSpan {
  const above = span.above - pixels;
  return { ...span, above: above < 0 || span.first === 0 ? 0 : above };
}

const heightOf =
  ({ rows, heights }: RowsState) =>
  (index: number): number =>
    heightIn(rows, heights, index);

function estimatedAbove(state: RowsState, first: number): number {
  let above = 0;
  for (let index = 0; index < first; index++) above += heightOf(state)(index);
  return above;
}

/** Where the last row on the page ends. */
function endOf(state: RowsState): number {
  let end = state.span.above;
  for (let index = state.span.first; index <= state.span.last; index++) end += heightOf(state)(index);
  return end;
}

const changed = (view: RowsView, next: RowsView): RowsView =>
  view.first === next.first &&
  view.last === next.last &&
  view.follows === next.follows &&
  view.atEnd === next.atEnd &&
  view.fresh === next.fresh
    ? view
    : next;
