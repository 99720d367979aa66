// Hostile bytes for the line splitter: cuts inside characters, look-alike line ends, caps, floods.
import { LineSplitter, LineTooLongError, linesOf } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const words = (line: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(line);

/** All lines of a stream that arrives in these chunks. */
function linesIn(chunks: Iterable<Uint8Array>, maxLineBytes = 1 << 20): string[] {
  const splitter = new LineSplitter({ maxLineBytes });
  const lines: string[] = [];
  for (const chunk of chunks) {
    for (const run of splitter.pushRuns(chunk)) lines.push(...Array.from(linesOf(run), words));
  }
  const last = splitter.end();
  if (last !== null) lines.push(...Array.from(linesOf(last), words));
  return lines;
}

function* cut(whole: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size);
}

const hostile = [
  '{"type":"text_delta","delta":"Grüße 🎛️ 漢字"}',
  '{"type":"text_delta","delta":"a\u2028b\u2029c\u0085d"}',
  '{"type":"text_delta","delta":"a\\rb\\nc"}',
  '{"type":"done"}',
];

describe("splitting lines", () => {
  it("[P10] U+2028, U+2029, U+0085, a lone CR, VT and FF are not line ends", () => {
    const line = "a\u2028b\u2029c\u0085d\re\vf\fg";
    expect(linesIn([bytes(`${line}\nnext\n`)])).toEqual([line, "next"]);
  });

  it("[P11] two chunks, cut at every offset, inside characters too", () => {
    const whole = bytes(`${hostile.join("\n")}\n`);
    for (let at = 0; at <= whole.length; at++) {
      expect(linesIn([whole.subarray(0, at), whole.subarray(at)])).toEqual(hostile);
    }
  });

  it.each([1, 2, 3, 5, 7])("[P11] chunks of %i bytes", (size) => {
    expect(linesIn(cut(bytes(`${hostile.join("\n")}\n`), size))).toEqual(hostile);
  });

  it("[P11] any bytes, cut anywhere, give the lines of the whole", () => {
    const byte = fc.oneof(fc.constantFrom(10, 13, 32), fc.integer({ min: 0, max: 255 }));
    const stream = fc.array(fc.array(byte, { maxLength: 20 }), { maxLength: 20 });
    fc.assert(
      fc.property(stream, (chunks) => {
        const split = (parts: Uint8Array[]): Uint8Array[] => {
          const splitter = new LineSplitter({ maxLineBytes: 1000 });
          const runs = parts.flatMap((part) => splitter.pushRuns(part));
          return [...runs, splitter.end() ?? new Uint8Array(0)].flatMap((run) => [...linesOf(run)]);
        };
        const parts = chunks.map((chunk) => Uint8Array.from(chunk));
        const whole = Uint8Array.from(chunks.flat());
        const plain = (lines: Uint8Array[]) => lines.map((line) => [...line]);
        expect(plain(split(parts))).toEqual(plain(split([whole])));
        expect(plain(split([whole]))).toEqual(plainLines(whole));
      }),
      { numRuns: 500 },
    );
  });

  it("[P12] CRLF and blank lines, also when CR and LF come apart", () => {
    expect(linesIn([bytes("a\r\n\r\n\n  \t\nb\r"), bytes("\n"), bytes("\n\nc\n")])).toEqual(["a", "b", "c"]);
  });

  it("[P12] only one CR belongs to the line end", () => {
    expect(linesIn([bytes("a\r\r\n")])).toEqual(["a\r"]);
  });

  it("[P13] the last line needs no LF", () => {
    expect(linesIn([bytes("a\nb")])).toEqual(["a", "b"]);
    expect(linesIn([bytes("a\nb\r")])).toEqual(["a", "b"]);
    expect(linesIn([])).toEqual([]);
    expect(linesIn([bytes("a\n")])).toEqual(["a"]);
  });

  it("[P13] after its end a splitter is empty", () => {
    const splitter = new LineSplitter({ maxLineBytes: 10 });
    splitter.pushRuns(bytes("a"));
    expect(splitter.end()).toEqual(bytes("a"));
    expect(splitter.end()).toBeNull();
  });

  it.each([1, 3, 8, 100])("[P14] a line of exactly the cap passes, in chunks of %i", (size) => {
    const lines = ["x".repeat(8), "y", "z".repeat(8)];
    expect(linesIn(cut(bytes(`${lines.join("\n")}\n`), size), 8)).toEqual(lines);
  });

  it.each([
    ["first", ["xxxxxxxxx\n"]],
    ["between others in one chunk", ["a\nxxxxxxxxx\nb\n"]],
    ["last and unfinished", ["a\nxxxxxxxxx"]],
    ["grown over chunks", ["a\nxxxx", "xxxx", "x"]],
    ["finished by a later chunk", ["xxxxxxxx", "x\nb\n"]],
  ])("[P14] one byte more is an error: %s", (_, chunks) => {
    const splitter = new LineSplitter({ maxLineBytes: 8 });
    expect(() => {
      for (const chunk of chunks) splitter.pushRuns(bytes(chunk));
    }).toThrow(LineTooLongError);
  });

  it("[P14] the cap is hit without waiting for the end of the line, and names itself", () => {
    const splitter = new LineSplitter({ maxLineBytes: 8 });
    expect(splitter.pushRuns(bytes("12345678"))).toEqual([]);
    expect(() => splitter.pushRuns(bytes("9"))).toThrow(expect.objectContaining({ limit: 8 }));
  });

  it("[P16] the memory of a chunk may be reused", () => {
    const memory = bytes("first\nsec");
    const splitter = new LineSplitter({ maxLineBytes: 100 });
    expect(splitter.pushRuns(memory).map(words)).toEqual(["first\n"]);
    memory.fill(120);
    expect(splitter.pushRuns(bytes("ond\nthird\n")).map(words)).toEqual(["second\n", "third\n"]);
  });
});

/** The rule itself, written the slow and obvious way. */
function plainLines(whole: Uint8Array): number[][] {
  const lines: number[][] = [[]];
  for (const byte of whole) {
    if (byte === 10) lines.push([]);
    else lines.at(-1)?.push(byte);
  }
  return lines
    .map((line) => (line.at(-1) === 13 ? line.slice(0, -1) : line))
    .filter((line) => line.some((byte) => byte !== 32 && byte !== 9 && byte !== 13));
}
