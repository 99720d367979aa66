// When a page that has much to do shows the next piece of an answer.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FramePace } from "../../../src/connection/socket/frame-pace.ts";

/** Frames come when the test says so, and so does the moment after one. */
class Screen {
  now = 0;
  readonly #frames = new Map<number, (time: number) => void>();
  #next = 1;
  #after: (() => void) | null = null;

  constructor() {
    vi.stubGlobal("requestAnimationFrame", (run: (time: number) => void) => {
      this.#frames.set(this.#next, run);
      return this.#next++;
    });
    vi.stubGlobal("cancelAnimationFrame", (frame: number) => this.#frames.delete(frame));
    vi.spyOn(performance, "now").mockImplementation(() => this.now);
    const port1: { onmessage: (() => void) | null } = { onmessage: null };
    const port2 = {
      postMessage: () => {
        this.#after = port1.onmessage;
      },
    };
    vi.stubGlobal(
      "MessageChannel",
      class {
        port1 = port1;
        port2 = port2;
      },
    );
  }

  get asked(): boolean {
    return this.#frames.size > 0;
  }

  /** Makes a frame, which takes so long. */
  frame(ms: number): void {
    const frames = [...this.#frames.values()];
    this.#frames.clear();
    const time = this.now;
    for (const run of frames) run(time);
    this.wait(ms);
    this.#after?.();
    this.#after = null;
  }

  wait(ms: number): void {
    this.now += ms;
    vi.advanceTimersByTime(ms);
  }
}

/** The next frame is asked for after so long, and not sooner. */
function expectRest(screen: Screen, ms: number): void {
  if (ms > 0) screen.wait(ms - 1);
  expect(screen.asked).toBe(false);
  screen.wait(Math.min(ms, 1));
  expect(screen.asked).toBe(true);
}

describe("the pace of frames", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", { hidden: false });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("[L92] short frames follow each other", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    const shown = vi.fn();
    for (let count = 0; count < 3; count++) {
      pace.next(shown);
      expect(screen.asked).toBe(true);
      screen.frame(4);
    }
    expect(shown).toHaveBeenCalledTimes(3);
  });

  it("[L92] after a long one the page rests as long, but not for ever", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    pace.next(() => {});
    screen.frame(30);
    pace.next(() => {});
    expectRest(screen, 30);
    screen.frame(2_000);
    pace.next(() => {});
    screen.wait(120);
    expect(screen.asked).toBe(true);
  });

  it("[L92] what comes while a frame is made rests after it, too", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    pace.next(() => pace.next(() => {}));
    screen.frame(30);
    expectRest(screen, 30);
  });

  it("[L92] nobody rests before there is something to see", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    pace.next(() => pace.next(() => {}, "at once"));
    screen.frame(30);
    expect(screen.asked).toBe(true);
  });

  it("[L92] the answer is shown right after a key, and a key has its frame to itself", () => {
    const screen = new Screen();
    const keys = new EventTarget();
    const pace = new FramePace(keys);
    const shown = vi.fn();
    pace.next(() => {});
    keys.dispatchEvent(new Event("keydown"));
    screen.frame(30);
    pace.next(shown);
    pace.next(shown); // of another session on the page
    screen.wait(80);
    expect(screen.asked).toBe(false); // it waits for a key
    keys.dispatchEvent(new Event("keydown"));
    screen.frame(2);
    expect(shown).not.toHaveBeenCalled();
    screen.frame(30);
    expect(shown).toHaveBeenCalledTimes(2);
  });

  it("[L92] who stops typing, or holds a key down, does not stop the answer", () => {
    const screen = new Screen();
    const keys = new EventTarget();
    const pace = new FramePace(keys);
    const shown = vi.fn();
    pace.next(() => {});
    keys.dispatchEvent(new Event("keydown"));
    screen.frame(30);
    pace.next(shown);
    expectRest(screen, 180);
    for (let key = 0; key < 4; key++) {
      keys.dispatchEvent(new Event("keydown"));
      screen.frame(5);
    }
    expect(shown).toHaveBeenCalledTimes(1);
  });

  it("[P260] text that streams is shown some times a second; its beginning and whatever else comes, with the next frame", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    pace.next(() => {}, "steady");
    expectRest(screen, 0);
    screen.frame(4);
    const cancel = pace.next(() => {}, "steady");
    expectRest(screen, 96);
    screen.frame(4);
    cancel();
    pace.next(() => {}, "soon");
    expect(screen.asked).toBe(true);
    screen.frame(4);
    screen.wait(500);
    pace.next(() => {}, "steady");
    expectRest(screen, 0);
  });

  it("[P260] it is applied before its frame, for one picture and not two", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    const steps: string[] = [];
    pace.next(() => {
      requestAnimationFrame(() => steps.push("frame")); // as that of the scroll event
      steps.push("applied");
    }, "steady");
    screen.wait(0);
    expect(steps).toEqual(["applied"]);
    pace.next(() => steps.push("soon"), "soon"); // is shown with the same frame
    screen.frame(4);
    expect(steps).toEqual(["applied", "frame", "soon"]);
    expect(screen.asked).toBe(false);
  });

  it("[P260] the time until its frame begins is no work, and the page does not rest for it", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    pace.next(() => screen.wait(2), "steady");
    screen.wait(0);
    screen.wait(16);
    screen.frame(4);
    pace.next(() => {});
    expect(screen.asked).toBe(true); // 6 ms are no long frame
    screen.frame(4);
    screen.wait(500);
    pace.next(() => screen.wait(20), "steady");
    screen.wait(0);
    screen.wait(16);
    screen.frame(20);
    pace.next(() => {});
    expectRest(screen, 40);
  });

  it("[P260] a page that is hidden waits for a frame", () => {
    vi.stubGlobal("document", { hidden: true });
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    const shown = vi.fn();
    pace.next(shown, "steady");
    screen.wait(1_000);
    expect(shown).not.toHaveBeenCalled();
    screen.frame(4);
    expect(shown).toHaveBeenCalledTimes(1);
  });

  it("[L92] what is taken back is not shown, whether it rests or waits for its frame", () => {
    const screen = new Screen();
    const pace = new FramePace(new EventTarget());
    const shown = vi.fn();
    pace.next(shown)();
    screen.frame(0);
    pace.next(() => {});
    screen.frame(50);
    pace.next(shown)();
    screen.wait(200);
    screen.frame(0);
    expect(shown).not.toHaveBeenCalled();
  });
});
