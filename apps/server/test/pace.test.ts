// How a worker's pace follows its viewers, without sockets: what is waited for, and for whom not.
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Pace } from "../src/session/pace.ts";

const enough = 1000;
const much = 2 * enough;

class Reader {
  live = true;
  bytes = much;
  sent: Promise<void>;
  takes: () => void = () => {};
  viewer = { buffered: () => this.bytes };

  constructor(bytes = much) {
    this.bytes = bytes;
    this.sent = new Promise((resolve) => {
      this.takes = resolve;
    });
  }
}

const journal = { unshownBytes: 0, flushed: () => Promise.resolve() };

describe("the pace of a worker", () => {
  it("[A13] waits while every viewer has enough to read, until one has taken it", async () => {
    const [one, other] = [new Reader(), new Reader()];
    const pace = new Pace(journal, new Set([one, other]), enough);
    let over = false;
    const waiting = pace.wait()?.then(() => {
      over = true;
    });
    expect(waiting).toBeDefined();
    await passed(10);
    expect(over).toBe(false);
    other.takes();
    await waiting;
    expect(over).toBe(true);
  });

  it("[A13] one that reads on, or nobody who is there, is reason not to wait", () => {
    expect(new Pace(journal, new Set(), enough).wait()).toBeUndefined();
    expect(new Pace(journal, new Set([new Reader(), new Reader(10)]), enough).wait()).toBeUndefined();
    const behind = new Reader();
    behind.live = false;
    expect(new Pace(journal, new Set([behind]), enough).wait()).toBeUndefined();
  });

  it("[A14] a viewer that does not read is waited for once, and again when it has read", async () => {
    const reader = new Reader();
    const pace = new Pace(journal, new Set([reader]), enough);
    await pace.wait();
    expect(pace.wait()).toBeUndefined();
    reader.takes();
    await passed(0);
    expect(pace.wait()).toBeDefined();
  });

  it("[A13] what the log has not written yet counts, and is waited for", async () => {
    let flushes = 0;
    const ahead = {
      unshownBytes: much,
      flushed: async () => {
        flushes++;
      },
    };
    await new Pace(ahead, new Set([new Reader(0)]), enough).wait();
    expect(flushes).toBe(1);
  });
});
