// The transitions of the row list: which rows are on the page after each thing that can happen to it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RowHeights } from "../../../src/transcript/rows/row-heights.ts";
import {
  initialRows,
  type RowsEvent,
  type RowsState,
  reduceRows,
  spacersOf,
  viewOf,
} from "../../../src/transcript/rows/rows-reducer.ts";
import type { ListRow } from "../../../src/transcript/rows/span.ts";

const rowsOf = (count: number, height = 100): ListRow[] =>
  Array.from({ length: count }, (_, index) => ({ key: `row-${index}`, height }));

/** What the page does after a change of `view`: renders these rows, and measures them. */
function rendered(state: RowsState, rows = state.rows, height = 100): RowsState {
  const { first, last } = viewOf(state, rows);
  const measured = rows.slice(first, last + 1).map(({ key }) => [key, height] as const);
  return reduceRows(state, { type: "rendered", rows, first, last, measured });
}

const after = (state: RowsState, ...events: readonly RowsEvent[]): RowsState =>
  events.reduce(reduceRows, state);

const scrolled = (top: number, follows = false): RowsEvent => ({
  type: "scrolled",
  top,
  height: 800,
  follows,
});

describe("the row list at the end", () => {
  it("[Y71] begins with the rows that fill the end, and a space above for all others", () => {
    const state = initialRows(rowsOf(1_000));
    expect(state.view).toEqual({ first: 980, last: 999, follows: true, atEnd: true, fresh: 0 });
    expect(spacersOf(state)).toEqual({ above: 98_000, below: 0 });
  });

  it("has no rows of an empty list", () => {
    const state = initialRows([]);
    expect(state.view).toEqual({ first: 0, last: -1, follows: true, atEnd: true, fresh: 0 });
    expect(spacersOf(state)).toEqual({ above: 0, below: 0 });
  });

  it("[Y71] renders a row that is added while the end is followed", () => {
    const state = initialRows(rowsOf(100));
    expect(viewOf(state, rowsOf(101)).last).toBe(100);
  });

  it("[Y71] renders only the end of a conversation that comes at once", () => {
    const { first, last } = viewOf(initialRows([]), rowsOf(5_000));
    expect(last).toBe(4_999);
    expect(last - first).toBeLessThan(50);
  });
});

describe("scrolling", () => {
  it("[Y73] keeps the rows while enough of them are ready beyond the view", () => {
    const state = rendered(initialRows(rowsOf(1_000)));
    const next = reduceRows(state, scrolled(98_700));
    expect([next.view.first, next.view.last]).toEqual([state.view.first, state.view.last]);
    expect(next.view.follows).toBe(false);
  });

  it("gives the same view again when nothing has changed", () => {
    const state = reduceRows(rendered(initialRows(rowsOf(1_000))), scrolled(98_700));
    expect(reduceRows(state, scrolled(98_690)).view).toBe(state.view);
  });

  it("[Y73] adds rows when less than the least is ready, and is urgent when rows in sight are missing", () => {
    const state = rendered(initialRows(rowsOf(1_000)));
    const near = reduceRows(state, scrolled(98_200));
    expect(near.view.first).toBeLessThan(980);
    expect(near.urgent).toBe(false);
    const missing = reduceRows(state, scrolled(97_900));
    expect(missing.view.first).toBeLessThan(979);
    expect(missing.urgent).toBe(true);
  });

  it("[Y73] goes by the place in the whole list when the reader is far from the rows on the page", () => {
    const state = reduceRows(rendered(initialRows(rowsOf(1_000))), scrolled(50_000));
    expect(state.span).toMatchObject({ first: 490, above: 49_000 });
    expect(state.view).toMatchObject({ first: 490, follows: false });
    expect(state.urgent).toBe(true);
  });

  it("counts the rows that were added below and not reached yet", () => {
    const left = reduceRows(rendered(initialRows(rowsOf(1_000))), scrolled(98_700));
    const grown = reduceRows(rendered(left, rowsOf(1_007)), scrolled(98_700));
    expect(grown.view.fresh).toBe(7);
    const reached = reduceRows(grown, scrolled(99_500));
    expect(reached.view.fresh).toBe(4);
    expect(reduceRows(reached, scrolled(98_700)).view.fresh).toBe(4); // what was reached stays reached
    expect(reduceRows(reached, scrolled(99_900, true)).view.fresh).toBe(0);
  });
});

describe("a reader's place", () => {
  it("[Y73] what turns out taller above is taken from the space above", () => {
    const state = reduceRows(rendered(initialRows(rowsOf(1_000))), scrolled(98_700));
    expect(reduceRows(state, { type: "drifted", pixels: 40 }).span.above).toBe(97_960);
  });

  it("[Y73] there is no space above the first row, whatever the drift", () => {
    const state = rendered(initialRows(rowsOf(5)));
    expect(state.span).toMatchObject({ first: 0, above: 0 });
    expect(reduceRows(state, { type: "drifted", pixels: 40 }).span.above).toBe(0);
    expect(reduceRows(state, { type: "drifted", pixels: -40 }).span.above).toBe(0);
  });

  it("[Y73] rows that are added in front of the others begin where these began, minus their heights", () => {
    const state = rendered(initialRows(rowsOf(1_000)));
    const earlier = reduceRows(state, scrolled(98_000));
    const next = rendered(earlier);
    expect(next.span.first).toBeLessThan(980);
    expect(next.span.above).toBe(98_000 - (980 - next.span.first) * 100);
  });
});

describe("a row that was asked for", () => {
  const asked = after(rendered(initialRows(rowsOf(1_000))), { type: "row requested", key: "row-500" });

  it("[Y74] is rendered at once with rows around it", () => {
    expect(asked.view).toEqual({ first: 492, last: 516, follows: false, atEnd: false, fresh: 0 });
    expect(asked.span.above).toBe(49_200);
    expect(asked).toMatchObject({ target: "row-500", urgent: true });
  });

  it("[Y74] scrolling changes nothing until it is in view", () => {
    expect(reduceRows(asked, scrolled(10))).toBe(asked);
    const shown = reduceRows(asked, { type: "row shown" });
    expect(shown.target).toBeNull();
    expect(reduceRows(shown, scrolled(49_900)).view.first).toBeLessThanOrEqual(492);
  });

  it("[Y74] which does not exist changes nothing", () => {
    expect(reduceRows(asked, { type: "row requested", key: "gone" })).toBe(asked);
  });

  it("the end comes before it", () => {
    const state = reduceRows(asked, { type: "end requested" });
    expect(state).toMatchObject({ target: null, urgent: true });
    expect(state.view).toMatchObject({ last: 999, follows: true, atEnd: true, fresh: 0 });
    expect(state.span.above).toBe(state.span.first * 100); // it is far: its place is estimated anew
  });
});

describe("measured heights", () => {
  it("are those measured last, however many rows were measured", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => [`row-${index}`, index] as const);
    const heights = many.reduce((all, row) => all.with([row]), RowHeights.none);
    expect(many.every(([key, height]) => heights.get(key) === height)).toBe(true);
    const next = heights.with([["row-3", 500]]);
    expect([next.get("row-3"), heights.get("row-3"), next.get("row-4")]).toEqual([500, 3, 4]);
  });

  it("are the same object when nothing has changed", () => {
    const heights = RowHeights.none.with([["row-1", 20]]);
    expect(heights.with([["row-1", 20]])).toBe(heights);
  });
});

const event: fc.Arbitrary<RowsEvent> = fc.oneof(
  fc.record({
    type: fc.constant("scrolled" as const),
    top: fc.integer({ min: -200, max: 30_000 }),
    height: fc.integer({ min: 0, max: 1_500 }),
    follows: fc.boolean(),
  }),
  fc.record({ type: fc.constant("drifted" as const), pixels: fc.integer({ min: -500, max: 500 }) }),
  fc.record({ type: fc.constant("row requested" as const), key: fc.nat(150).map((at) => `row-${at}`) }),
  fc.constant({ type: "end requested" as const }),
  fc.constant({ type: "row shown" as const }),
);

describe("any sequence of events", () => {
  it("[Y71] leaves rows of the list on the page, the last one too while the end is followed, and no negative space", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(3), fc.integer({ min: 10, max: 300 }))), (events) => {
        let rows = rowsOf(100);
        let state = rendered(initialRows(rows));
        for (const [next, added, height] of events) {
          rows = [...rows, ...rowsOf(rows.length + added).slice(rows.length)];
          state = rendered(reduceRows(state, next), rows, height);
          const { first, last } = state.span;
          expect(first).toBeGreaterThanOrEqual(0);
          expect(last).toBeLessThan(rows.length);
          expect(first).toBeLessThanOrEqual(last);
          if (state.view.follows) expect(last).toBe(rows.length - 1);
          expect(state.view.fresh).toBeGreaterThanOrEqual(0);
          const kept = reduceRows(state, { type: "drifted", pixels: 0 });
          expect(kept.span.above).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
