// How often workers are read when the process has no time to spare. Its time is the tests' to tell.
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ReadPace, ReadThrottle } from "../../src/fast-io/read-pace.ts";

class Stream {
  stops = 0;
  starts = 0;
  paused = false;
  isPaused = () => this.paused;
  _handle = { readStop: () => this.stops++, readStart: () => this.starts++ };
}

/** Reads so many bytes of each of so many workers every 5 ms, on a process that uses that part of a core. */
function readAll(workers: number, bytes: number, core: number, forMs: number): Stream[] {
  let now = 0;
  const throttle = new ReadThrottle({ now: () => now, cpu: () => now * core });
  const streams = Array.from({ length: workers }, () => new Stream());
  const paces = streams.map((stream) => new ReadPace(stream, throttle));
  for (; now < forMs; now += 5) for (const pace of paces) pace.read(bytes);
  return streams;
}

const stops = (streams: readonly Stream[]): number => streams.reduce((sum, stream) => sum + stream.stops, 0);

describe("reading workers", () => {
  it("[A15] many that write little are held while there is no time, and read again a moment later", async () => {
    const streams = readAll(40, 100, 0.9, 120);
    expect(stops(streams)).toBeGreaterThan(0);
    expect(streams.every(({ starts }) => starts === 0)).toBe(true);
    await passed(50);
    expect(streams.every((stream) => stream.starts === stream.stops)).toBe(true);
  });

  it("[A15] one that is paused while it is held stays so", async () => {
    const streams = readAll(40, 100, 0.9, 120);
    for (const stream of streams) stream.paused = true;
    await passed(50);
    expect(streams.every(({ starts }) => starts === 0)).toBe(true);
  });

  it("[A16] a worker that writes much is not held, however busy the server is", () => {
    expect(stops(readAll(40, 5000, 0.9, 1000))).toBe(0);
  });

  it("[A16] a few are not held, however busy the server is", () => {
    expect(stops(readAll(8, 100, 0.9, 1000))).toBe(0);
  });

  it("[A16] nobody is held while there is time", () => {
    expect(stops(readAll(40, 100, 0.2, 1000))).toBe(0);
  });

  it("[A15] a stream that cannot be held is read as it comes", () => {
    const pace = new ReadPace({ isPaused: () => false });
    expect(() => pace.read(100)).not.toThrow();
  });
});
