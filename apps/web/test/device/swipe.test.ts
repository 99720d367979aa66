// A swipe, told apart from everything else a finger does.
import { describe, expect, it } from "vitest";
import { swipeOf } from "../../src/device/swipe.ts";

const from = { x: 100, y: 300, time: 0 };
const to = (x: number, y: number, time = 200) => ({ x, y, time });

describe("swipes", () => {
  it.each([
    ["right", to(200, 310)],
    ["left", to(10, 300)],
    [null, to(150, 300)],
    [null, to(200, 380)],
    [null, to(100, 700)],
    [null, to(300, 300, 2000)],
  ])("%s", (direction, end) => {
    expect(swipeOf(from, end)).toBe(direction);
  });
});
