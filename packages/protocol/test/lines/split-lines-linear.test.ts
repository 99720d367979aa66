// How much work one long line costs, counted in bytes copied rather than in time: a splitter that
// joins what it has with every chunk would copy half a thousand times as much.
import { LineSplitter, linesOf } from "@patchbay/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";

const chunkSize = 64 * 1024;
const MB = 1024 * 1024;

afterEach(() => vi.restoreAllMocks());

/** Pushes one line of that many bytes; answers how many bytes were copied on the way. */
function bytesCopiedFor(lineBytes: number): number {
  let copied = 0;
  const { slice, set } = Uint8Array.prototype;
  vi.spyOn(Uint8Array.prototype, "slice").mockImplementation(function (this: Uint8Array, start, end) {
    const part = slice.call(this, start, end);
    copied += part.length;
    return part;
  });
  vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function (this: Uint8Array, from, offset) {
    copied += from.length;
    set.call(this, from, offset);
  });
  const splitter = new LineSplitter({ maxLineBytes: 64 * MB });
  const chunk = new Uint8Array(chunkSize).fill(120);
  for (let sent = 0; sent < lineBytes; sent += chunkSize) expect(splitter.pushRuns(chunk)).toEqual([]);
  const [run] = splitter.pushRuns(Uint8Array.of(10));
  vi.restoreAllMocks();
  expect(run?.length).toBe(lineBytes + 1);
  expect(Array.from(linesOf(run ?? new Uint8Array(0)), (line) => line.length)).toEqual([lineBytes]);
  return copied;
}

describe("one long line", () => {
  it.each([1, 16, 64])("[P15] %i MB in chunks of 64 KB are copied at most twice", (size) => {
    const copied = bytesCopiedFor(size * MB);
    expect(copied).toBeGreaterThanOrEqual(size * MB);
    expect(copied).toBeLessThanOrEqual(2 * size * MB + 1);
  });
});
