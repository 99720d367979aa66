import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { ReadBuffers, readBuffers } from "../../src/fast-io/read-buffers.ts";
import { readOutput } from "../../src/fast-io/read-output.ts";

const large = 100_000;

/** One read of so many bytes, all of them the same. */
function read(buffers: ReadBuffers, size: number, byte: number, use: (bytes: Uint8Array) => void): void {
  const buffer = buffers.take();
  buffer.fill(byte, 0, size);
  buffers.deliver(buffer, size, use);
}

it("[A17] memory that was lent is not read into before everybody has given it back", () => {
  const buffers = new ReadBuffers();
  const kept: { bytes: Uint8Array; release: (() => void)[] }[] = [];
  for (let byte = 1; byte <= 3; byte++) {
    read(buffers, large, byte, (bytes) => {
      const twice = [buffers.borrow(bytes), buffers.borrow(bytes.subarray(10))];
      kept.push({ bytes, release: twice.filter((release) => release !== undefined) });
    });
  }
  expect(kept.map(({ bytes }) => bytes.every((byte) => byte === bytes[0]))).toEqual([true, true, true]);
  expect(kept.map(({ bytes }) => bytes[0])).toEqual([1, 2, 3]);
  const first = kept[0];
  first?.release[0]?.();
  read(buffers, large, 4, () => {});
  expect(first?.bytes[0]).toBe(1);
  first?.release[1]?.();
  read(buffers, large, 5, (bytes) => expect(bytes.buffer).toBe(first?.bytes.buffer));
});

it("[A17] memory that nobody has borrowed is used for the next read", () => {
  const buffers = new ReadBuffers();
  const used = new Set<ArrayBufferLike>();
  for (let byte = 1; byte <= 20; byte++) read(buffers, large, byte, (bytes) => used.add(bytes.buffer));
  expect(used.size).toBe(1);
});

it("[A17] what a small read brought is a copy, which nobody has to give back", () => {
  const buffers = new ReadBuffers();
  const kept: Uint8Array[] = [];
  for (let byte = 1; byte <= 3; byte++) {
    read(buffers, 100, byte, (bytes) => {
      kept.push(bytes);
      expect(buffers.borrow(bytes)).toBeUndefined();
    });
  }
  expect(kept.map((bytes) => [bytes[0], bytes.length])).toEqual([
    [1, 100],
    [2, 100],
    [3, 100],
  ]);
});

it("[A17] a flood that is kept for a while is read whole and unchanged, in memory that is used again", async () => {
  const count = 400_000;
  const child = spawn(
    process.execPath,
    [
      "-e",
      `for (let at = 0; at < ${count}; at += 1000)
         require("node:fs").writeSync(1, Array.from({ length: 1000 }, (_, i) => String(at + i).padStart(99, "x") + "\\n").join(""));`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: string[] = [];
  const memory = new Set<ArrayBufferLike>();
  let reads = 0;
  let rest = "";
  let last: Promise<unknown> = Promise.resolve();
  const output = readOutput(child.stdout, (bytes) => {
    const release = readBuffers.borrow(bytes);
    if (release !== undefined) {
      reads++;
      memory.add(bytes.buffer);
    }
    if (reads % 50 === 0) {
      output.pause();
      setTimeout(() => output.resume(), 5);
    }
    // As a viewer does that takes the bytes later; only then is looked at what they are.
    last = Promise.all([last, new Promise((resolve) => setTimeout(resolve, reads % 4))]).then(() => {
      const text = rest + Buffer.from(bytes).toString();
      const complete = text.split("\n");
      rest = complete.pop() ?? "";
      lines.push(...complete);
      release?.();
    });
  });
  await once(child, "close");
  await last;
  expect(rest).toBe("");
  expect(lines.length).toBe(count);
  expect(lines.findIndex((line, at) => Number(line.replace(/^x+/, "")) !== at)).toBe(-1);
  expect(reads).toBeGreaterThan(50);
  expect(memory.size).toBeLessThan(reads);
});
