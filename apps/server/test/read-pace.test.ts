// How often workers are read when the process has no time to spare. The process of this test makes itself busy.
import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ReadPace } from "../src/worker/read-pace.ts";

class Stream {
  stops = 0;
  starts = 0;
  _handle = { readStop: () => this.stops++, readStart: () => this.starts++ };
}

/** Reads so many bytes again and again, with all the time there is, until it is held. */
function readBusily(pace: ReadPace, bytes: number, stream: Stream, forMs = 500): void {
  const end = performance.now() + forMs;
  while (performance.now() < end && stream.stops === 0) {
    const next = performance.now() + 2;
    while (performance.now() < next); // busy
    pace.read(bytes);
  }
}

describe("reading workers", () => {
  it("[A15] a worker that writes little is held while there is no time, and read again a moment later", async () => {
    const stream = new Stream();
    readBusily(new ReadPace(stream), 100, stream, 20_000); // others may want the cores, too
    expect(stream).toMatchObject({ stops: 1, starts: 0 });
    await passed(50);
    expect(stream).toMatchObject({ stops: 1, starts: 1 });
  });

  it("[A16] a worker that writes much is not held, however busy the server is", () => {
    const stream = new Stream();
    readBusily(new ReadPace(stream), 1000, stream);
    expect(stream).toMatchObject({ stops: 0, starts: 0 });
  });

  it("[A16] nobody is held while there is time", async () => {
    const stream = new Stream();
    const pace = new ReadPace(stream);
    for (let round = 0; round < 8; round++) {
      await passed(110);
      stream.stops = 0;
      pace.read(100);
    }
    expect(stream.stops).toBe(0);
  });

  it("[A15] a stream that cannot be held is read as it comes", () => {
    const stream = new Stream();
    readBusily(new ReadPace({}), 100, stream);
    expect(stream.stops).toBe(0);
  });
});
