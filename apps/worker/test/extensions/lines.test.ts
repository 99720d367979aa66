// Framing with hostile bytes, without a process.
import { describe, expect, it } from "vitest";
import { BoundedLines } from "../../src/extensions/process/bounded-lines.ts";

const read = (chunks: string[], max = 8): (string | null)[] => {
  const lines = new BoundedLines(max);
  const all = chunks.flatMap((chunk) => [...lines.push(Buffer.from(chunk))]);
  return [...all, ...lines.end()].map((line) => (line === null ? null : Buffer.from(line).toString()));
};

describe("an extension's lines", () => {
  it("[E31] a line of exactly the cap is a line, one byte more is skipped, what follows counts", () => {
    expect(read(["12345678\n123456789\nok\n"])).toEqual(["12345678", null, "ok"]);
    expect(read(["1234", "5678", "9", "0\nok"])).toEqual([null, "ok"]);
  });

  it("[E31] however the bytes are cut, the lines are the same", () => {
    const whole = "a\n\n  \r\nüß\u2028x\nlonger than that\nlast";
    const expected = read([whole]);
    expect(expected).toEqual(["a", "üß\u2028x", null, "last"]);
    const bytes = Buffer.from(whole);
    for (let size = 1; size < bytes.length; size++) {
      const lines = new BoundedLines(8);
      const got: (string | null)[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        for (const line of lines.push(bytes.subarray(at, at + size)))
          got.push(line === null ? null : Buffer.from(line).toString());
      }
      for (const line of lines.end()) got.push(line === null ? null : Buffer.from(line).toString());
      expect(got).toEqual(expected);
    }
  });
});
