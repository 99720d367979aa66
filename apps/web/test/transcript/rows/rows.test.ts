// Which rows of a long transcript are on the page, where links lead, and who is counted as having gone up.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageAddress, readAddressTime } from "../../../src/navigation/message-address.ts";
import { nearestTo } from "../../../src/transcript/message-link/nearest.ts";
import { ScrollOwner } from "../../../src/transcript/rows/scroll-owner.ts";
import { movedTo, spanAtEnd, spanBetween } from "../../../src/transcript/rows/span.ts";

const heights = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
const topOf = (all: readonly number[], index: number): number =>
  all.slice(0, index).reduce((sum, height) => sum + height, 0);

describe("the rows on the page", () => {
  it("[Y71] [Y73] a span covers the places that were asked for, from wherever it is looked for", () => {
    fc.assert(
      fc.property(
        heights,
        fc.nat(60),
        fc.integer({ min: -500, max: 20_000 }),
        fc.nat(2_000),
        (all, at, from, size) => {
          const heightOf = (index: number): number => all[index] ?? 0;
          const first = at % all.length;
          const known = { first, last: first, above: topOf(all, first) };
          const span = spanBetween(known, all.length, heightOf, from, from + size);
          expect(span.above).toBe(topOf(all, span.first));
          expect(span.first === 0 || span.above <= from || span.first === all.length - 1).toBe(true);
          expect(span.last === all.length - 1 || topOf(all, span.last + 1) >= from + size).toBe(true);
          expect(movedTo(known, span.first, heightOf)).toBe(span.above);
        },
      ),
    );
  });

  it("[Y71] at the end, as many rows as fill the view", () => {
    const heightOf = () => 100;
    expect(spanAtEnd(10_000, heightOf, 1_000)).toEqual({ first: 9_990, last: 9_999 });
    expect(spanAtEnd(3, heightOf, 1_000)).toEqual({ first: 0, last: 2 });
    expect(spanAtEnd(0, heightOf, 1_000)).toEqual({ first: 0, last: -1 });
  });
});

describe("the owner of the scroll position", () => {
  const element = { scrollTop: 600, scrollHeight: 1_000, clientHeight: 400 };

  it("[Y72] a gesture upwards detaches before anything moved, and a small step up is not undone", () => {
    const changes: boolean[] = [];
    const owner = new ScrollOwner({ ...element }, (follows) => changes.push(follows));
    owner.resized();
    owner.upward();
    expect(changes).toEqual([false]);
    const near = { ...element };
    const other = new ScrollOwner(near, (follows) => changes.push(follows));
    other.resized();
    near.scrollTop = 590; // closer to the end than the slack
    other.scrolled();
    expect(other.follows).toBe(false);
    near.scrollTop = 598;
    other.scrolled();
    expect(other.follows).toBe(true);
  });

  it("[Y72] where nothing can be scrolled, nothing detaches", () => {
    const owner = new ScrollOwner({ ...element, scrollHeight: 400 }, () => {});
    owner.upward();
    expect(owner.follows).toBe(true);
  });
});

describe("links into a transcript", () => {
  it("[Y74] name a message by its time, and lead to the nearest one", () => {
    expect(messageAddress("a b", "2026-01-01T10:00:00+02:00")).toBe(
      "/sessions/a%20b?at=2026-01-01T10%3A00%3A00%2B02%3A00",
    );
    expect(readAddressTime("2026-01-01T10:00:00+02:00")).toBe(Date.UTC(2026, 0, 1, 8));
    expect(readAddressTime(String(Date.UTC(2026, 0, 1)))).toBe(Date.UTC(2026, 0, 1));
    expect(readAddressTime("17")).not.toBe(17);
    expect(readAddressTime("soon")).toBeNull();
    const messages = ["2026-01-01T08:00:00Z", "2026-01-01T09:00:00Z", ""].map((time, at) => ({
      key: String(at),
      time,
    }));
    expect(nearestTo(messages, Date.UTC(2026, 0, 1, 8, 40))?.key).toBe("1");
    expect(nearestTo([], 0)).toBeNull();
  });
});
