// Who moves the transcript: it follows its end until the reader goes up, and only the reader decides.
import { describe, expect, it } from "vitest";
import { ScrollOwner } from "../../../src/transcript/rows/scroll-owner.ts";

/** An element as browsers have it: the position is clamped, and setting it fires a scroll event. */
class Element {
  scrollHeight = 1_000;
  clientHeight = 400;
  #top = 0;
  get scrollTop(): number {
    return this.#top;
  }
  set scrollTop(top: number) {
    this.#top = Math.max(0, Math.min(top, this.scrollHeight - this.clientHeight));
  }
}

function follow() {
  const element = new Element();
  const changes: boolean[] = [];
  const owner = new ScrollOwner(element, (follows) => changes.push(follows));
  const grow = (by: number) => {
    element.scrollHeight += by;
    element.scrollTop += 0;
    owner.resized();
    owner.scrolled();
  };
  const scroll = (to: number) => {
    element.scrollTop = to;
    owner.scrolled();
  };
  owner.resized();
  owner.scrolled();
  return { element, owner, changes, grow, scroll };
}

describe("ScrollOwner", () => {
  it("[Y72] has no end to jump to where everything is in view, or the end is", () => {
    const { element, owner, scroll } = follow();
    owner.upward();
    scroll(100);
    expect([owner.follows, owner.isAtEnd]).toEqual([false, false]);
    element.scrollHeight = 502; // what was below the view is gone
    owner.resized();
    expect([owner.follows, owner.isAtEnd]).toEqual([false, true]);
    element.scrollHeight = 400;
    owner.resized();
    expect([owner.follows, owner.isAtEnd]).toEqual([true, true]);
    owner.show(0);
    expect(owner.follows).toBe(true);
  });

  it("follows what grows", () => {
    const { element, grow, changes } = follow();
    grow(500);
    grow(3);
    expect(element.scrollTop).toBe(1_103);
    expect(changes).toEqual([]);
  });

  it("[P246] follows when the view gets taller, which moves the position up", () => {
    const { element, owner, grow, changes } = follow();
    element.clientHeight = 450;
    element.scrollTop += 0; // as the browser clamps it
    owner.scrolled();
    owner.resized();
    grow(100);
    expect(element.scrollTop).toBe(650);
    expect(changes).toEqual([]);
  });

  it("stays where the reader went, however much arrives", () => {
    const { element, grow, scroll, changes } = follow();
    scroll(300);
    grow(500);
    grow(500);
    expect(element.scrollTop).toBe(300);
    expect(changes).toEqual([false]);
  });

  it("follows again from the end, and after a jump", () => {
    const { element, owner, grow, scroll, changes } = follow();
    scroll(100);
    scroll(590);
    grow(200);
    expect(element.scrollTop).toBe(800);
    scroll(10);
    owner.jump();
    expect(element.scrollTop).toBe(800);
    expect(changes).toEqual([false, true, false, true]);
  });

  it("a card that closes does not count as the reader going up", () => {
    const { element, owner, grow, changes } = follow();
    grow(600);
    element.scrollHeight -= 300;
    element.scrollTop += 0;
    owner.scrolled();
    owner.resized();
    expect(owner.follows).toBe(true);
    expect(changes).toEqual([]);
    expect(element.scrollTop).toBe(900);
  });

  it("scrolling down without reaching the end does not follow", () => {
    const { owner, scroll } = follow();
    scroll(100);
    scroll(300);
    expect(owner.follows).toBe(false);
  });
});
