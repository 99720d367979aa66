// How often workers are read when the process has no time to spare. The process of this test makes itself busy.
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ReadPace } from "../src/worker/read-pace.ts";

class Stream {
  stops = 0;
  starts = 0;
  _handle = { readStop: () => this.stops++, readStart: () => this.starts++ };
}

/** So many that a wake-up for each of their lines is too much. */
const many = () => Array.from({ length: 40 }, () => new Stream());

/** Reads so many bytes of each again and again, with all the time there is, until one is held. */
function readBusily(streams: readonly Stream[], bytes: number, forMs = 500): void {
  const paces = streams.map((stream) => new ReadPace(stream));
  const end = performance.now() + forMs;
  while (performance.now() < end && streams.every(({ stops }) => stops === 0)) {
    const next = performance.now() + 5;
    while (performance.now() < next); // busy
    for (const pace of paces) pace.read(bytes);
  }
}

const stops = (streams: readonly Stream[]): number => streams.reduce((sum, stream) => sum + stream.stops, 0);

describe("reading workers", () => {
  it("[A15] many that write little are held while there is no time, and read again a moment later", async () => {
    const streams = many();
    readBusily(streams, 100, 20_000); // others may want the cores, too
    const held = stops(streams);
    expect(held).toBeGreaterThan(0);
    expect(streams.every(({ starts }) => starts === 0)).toBe(true);
    await passed(50);
    expect(streams.every((stream) => stream.starts === stream.stops)).toBe(true);
    expect(stops(streams)).toBe(held);
  });

  it("[A16] a worker that writes much is not held, however busy the server is", () => {
    const streams = many();
    readBusily(streams, 5000);
    expect(stops(streams)).toBe(0);
  });

  it("[A16] a few are not held, however busy the server is", async () => {
    for (let sample = 0; sample < 2; sample++) {
      await passed(110);
      new ReadPace({}).read(1); // forgets the many of the tests before
    }
    const few = many().slice(0, 8);
    readBusily(few, 100);
    expect(stops(few)).toBe(0);
  });

  it("[A16] nobody is held while there is time", async () => {
    const streams = many();
    const paces = streams.map((stream) => new ReadPace(stream));
    for (let round = 0; round < 8; round++) {
      await passed(110);
      for (const stream of streams) stream.stops = 0;
      for (const pace of paces) pace.read(100);
    }
    expect(stops(streams)).toBe(0);
  });

  it("[A15] a stream that cannot be held is read as it comes", () => {
    const pace = new ReadPace({});
    expect(() => pace.read(100)).not.toThrow();
  });
});
