// Markdown in blocks: growing it piece by piece must end where reading it at once does, and settled
// blocks must keep their identity, or they would be rendered again.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Block,
  type Blocks,
  growBlocks,
  longestBlock,
  noBlocks,
} from "../../../src/transcript/markdown/blocks.ts";

const sample = `# Title

A paragraph with **bold**
over two lines.

- one
- two

  with more

\`\`\`ts title=x
const a = 1;

const b = 2;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted

last words`;

const all = ({ runs, tail }: Blocks): Block[] => [...runs.flat(), ...tail];
const texts = (blocks: Blocks): string[] => all(blocks).map((block) => `${block.kind}:${block.text}`);
const grow = (pieces: readonly string[]): Blocks => {
  let source = "";
  return pieces.reduce((blocks, piece) => {
    source += piece;
    return growBlocks(blocks, source);
  }, noBlocks);
};

describe("growBlocks", () => {
  it("splits at the top level and takes code out of its fence", () => {
    const blocks = all(growBlocks(noBlocks, sample));
    expect(blocks.map((block) => block.kind)).toEqual([
      "markdown",
      "markdown",
      "markdown",
      "code",
      "markdown",
      "markdown",
      "markdown",
    ]);
    expect(blocks[3]).toMatchObject({ language: "ts", text: "const a = 1;\n\nconst b = 2;" });
  });

  it("character by character ends where all at once does", () => {
    expect(texts(grow(sample.split("")))).toEqual(texts(growBlocks(noBlocks, sample)));
  });

  it("any pieces end where all at once does", () => {
    const cuts = fc.array(fc.nat(sample.length), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (points) => {
        const at = [0, ...points.sort((a, b) => a - b), sample.length];
        const pieces = at.slice(1).map((end, index) => sample.slice(at[index], end));
        expect(texts(grow(pieces))).toEqual(texts(growBlocks(noBlocks, sample)));
      }),
    );
  });

  it("keeps the objects of settled blocks", () => {
    const before = growBlocks(noBlocks, "first\n\nsecond\n\nthi");
    const after = growBlocks(before, "first\n\nsecond\n\nthird\n\nfourth");
    expect(all(after)[0]).toBe(all(before)[0]);
    expect(all(after)[1]).toBe(all(before)[1]);
    expect(all(after).map((block) => block.text.trim())).toEqual(["first", "second", "third", "fourth"]);
  });

  it("puts settled blocks into runs that are never made again", () => {
    const paragraphs = (count: number) =>
      Array.from({ length: count }, (_, at) => `Paragraph ${at}.`).join("\n\n");
    const before = growBlocks(noBlocks, paragraphs(40));
    const after = growBlocks(before, paragraphs(60));
    expect(before.runs.map((run) => run.length)).toEqual([16, 16]);
    expect(after.runs.slice(0, 2)).toEqual(before.runs);
    expect(after.runs[0]).toBe(before.runs[0]);
    expect(texts(after)).toEqual(texts(growBlocks(noBlocks, paragraphs(60))));
  });

  it("keeps a formula over several lines together", () => {
    const source = "Text\n\n$$\na = b\n+ c\n$$\n\nend";
    expect(texts(growBlocks(noBlocks, source))).toEqual(texts(grow(source.split(""))));
    expect(all(growBlocks(noBlocks, source))).toHaveLength(3);
  });

  it("starts anew when the text is another one", () => {
    const before = growBlocks(noBlocks, "one\n\ntwo");
    expect(texts(growBlocks(before, "three"))).toEqual(["markdown:three"]);
  });

  it("an unfinished fence is code already, and CRLF does not move the places", () => {
    expect(all(growBlocks(noBlocks, "```py\nprint(1)"))).toMatchObject([{ kind: "code", language: "py" }]);
    const source = "a\r\n\r\nb\r\n\r\n```\r\nc\r\n```";
    const blocks = all(growBlocks(noBlocks, source));
    expect(blocks.map(({ start }) => source.slice(start, start + 1))).toEqual(["a", "b", "`"]);
  });

  it("a block of monstrous size becomes plain pieces that lose nothing and settle", () => {
    const monster = "😀x".repeat(longestBlock);
    const before = growBlocks(noBlocks, `Title\n\n${monster}`);
    const after = growBlocks(before, `Title\n\n${monster}\n\n# and more`);
    expect(all(before)[0]).toMatchObject({ kind: "markdown" });
    expect(
      new Set(
        all(after)
          .slice(1)
          .map(({ kind }) => kind),
      ),
    ).toEqual(new Set(["plain"]));
    expect(
      all(after)
        .slice(1)
        .map(({ text }) => text)
        .join(""),
    ).toBe(`${monster}\n\n# and more`);
    expect(all(after)[5]).toBe(all(before)[5]);
    for (const { text } of all(after)) expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});
