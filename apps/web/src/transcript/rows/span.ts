// Which rows of a long list are on the page. Pure arithmetic: rows have heights, measured or estimated, and a
// span is a run of them together with where its first row begins.

export interface ListRow {
  key: string;
  /** Its likely height, until it was on the page once. */
  height: number;
}

export interface RowSpan {
  first: number;
  /** The last row of the span; before `first` when there are no rows. */
  last: number;
  /** Where the first row begins, in pixels from the beginning of the list. */
  above: number;
}

export type HeightOf = (index: number) => number;

const emptySpan: RowSpan = { first: 0, last: -1, above: 0 };

/** The rows between two places of the list, found by walking from a span whose place is known. */
export function spanBetween(
  known: RowSpan,
  count: number,
  heightOf: HeightOf,
  from: number,
  to: number,
): RowSpan {
  if (count === 0) return emptySpan;
  let first = Math.min(known.first, count - 1);
  let above = known.above;
  while (first > 0 && above > from) above -= heightOf(--first);
  while (first < count - 1 && above + heightOf(first) <= from) above += heightOf(first++);
  let last = first;
  for (let end = above + heightOf(first); last < count - 1 && end < to; ) end += heightOf(++last);
  return { first, last, above };
}

/** The last rows that fill that many pixels; the caller knows `above`. */
export function spanAtEnd(
  count: number,
  heightOf: HeightOf,
  pixels: number,
): Pick<RowSpan, "first" | "last"> {
  let first = Math.max(0, count - 1);
  for (let filled = count === 0 ? 0 : heightOf(first); first > 0 && filled < pixels; )
    filled += heightOf(--first);
  return { first, last: count - 1 };
}

/** The `above` of a span that begins with another row, at the same place in the list. */
export function movedTo(span: RowSpan, first: number, heightOf: HeightOf): number {
  let above = span.above;
  for (let index = span.first; index < first; index++) above += heightOf(index);
  for (let index = span.first - 1; index >= first; index--) above -= heightOf(index);
  return above;
}

/** The measured height, or the estimated one. */
export function heightIn(
  rows: readonly ListRow[],
  known: Pick<ReadonlyMap<string, number>, "get">,
  index: number,
): number {
  const row = rows[index];
  return row === undefined ? 0 : (known.get(row.key) ?? row.height);
}
