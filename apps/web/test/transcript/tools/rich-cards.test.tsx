// What cards and answers are made of: diffs side by side, colours by line, terminals, searches, calls made together, and
// what a screen reader hears.
import Anser from "anser";
import { describe, expect, it } from "vitest";
import { parseDiff } from "../../../src/code/diff/diff-lines.ts";
import { pairLines } from "../../../src/code/diff/diff-pairs.ts";
import { htmlLines } from "../../../src/code/diff/html-lines.ts";
import { ansiStyle } from "../../../src/code/terminal/ansi-style.ts";
import { pause, Speech } from "../../../src/transcript/announcer/speech.ts";
import { groupContent } from "../../../src/transcript/entries/content-groups.ts";
import { readFound } from "../../../src/transcript/tools/found-lines.ts";

describe("diffs", () => {
  it("[Y80] stand side by side: what was removed beside what took its place", () => {
    const lines = parseDiff("@@ -1,4 +1,5 @@\n a\n-b\n+B\n+B2\n c\n-d") ?? [];
    const sides = pairLines(lines).map(({ before, after }) => [before?.text ?? null, after?.text ?? null]);
    expect(sides).toEqual([
      ["a", "a"],
      ["b", "B"],
      [null, "B2"],
      ["c", "c"],
      ["d", null],
    ]);
  });

  it("[Y80] keep the colours of what goes over several lines", () => {
    expect(htmlLines('a <span class="c">/* one\ntwo <span class="d">x</span>\nthree */</span> b')).toEqual([
      'a <span class="c">/* one</span>',
      '<span class="c">two <span class="d">x</span></span>',
      '<span class="c">three */</span> b',
    ]);
  });
});

describe("terminals", () => {
  const styles = (text: string) =>
    Anser.ansiToJson(text, { use_classes: true, remove_empty: true }).map((part) => ansiStyle(part));

  it("[Y81] have the theme's colours for named ones, and others as they are", () => {
    expect(styles("plain")).toEqual([undefined]);
    expect(styles("\u001b[31mred")[0]?.color).toContain("var(--ansi-red)");
    expect(styles("\u001b[38;5;208morange")[0]?.color).toContain("rgb(255 135 0)");
    expect(styles("\u001b[38;2;1;2;3mtrue")[0]?.color).toContain("rgb(1, 2, 3)");
    expect(styles("\u001b[41m\u001b[1mFAIL")[0]).toMatchObject({ fontWeight: 650 });
    expect(styles("\u001b[7mreversed")[0]).toMatchObject({ color: "var(--ink)" });
  });
});

describe("searches", () => {
  it("[Y82] are shown by file, and whatever is none as it came", () => {
    const found = readFound("src/a.ts:3: one\nsrc/a.ts-4- around\n--\nsrc/b.ts:7: two\n[there are more]");
    expect(
      found?.files.map(({ path, lines }) => [path, lines.map(({ number, match }) => [number, match])]),
    ).toEqual([
      [
        "src/a.ts",
        [
          [3, true],
          [4, false],
        ],
      ],
      ["src/b.ts", [[7, true]]],
    ]);
    expect(found?.notes).toEqual(["[there are more]"]);
    expect(readFound("src/a.ts\nsrc/b.ts\nsrc/c.ts\nsrc/d.ts")).toBeNull();
  });
});

describe("calls", () => {
  it("[Y83] that follow each other without a word were made together", () => {
    const call = (id: string) => ({ type: "tool_call" as const, id, name: "read", args: {} });
    const text = { type: "text" as const, text: "a" };
    const groups = groupContent([call("1"), text, call("2"), call("3"), text]);
    expect(groups.map((group) => (group.kind === "calls" ? group.calls.length : group.block.type))).toEqual([
      "tool_call",
      "text",
      2,
      "text",
    ]);
  });
});

describe("what a screen reader hears", () => {
  it("[Y84] is whole sentences in plain words, with pauses, and then the rest", () => {
    const speech = new Speech();
    expect(speech.next("The **test** raced", false, 0)).toBeNull();
    expect(speech.next("The **test** raced the timer. It now", false, 10)).toBe("The test raced the timer.");
    expect(speech.next("The **test** raced the timer. It now waits. And", false, 20)).toBeNull();
    expect(speech.next("The **test** raced the timer. It now waits. And", false, pause + 10)).toBe(
      "It now waits.",
    );
    expect(speech.next("The **test** raced the timer. It now waits. And ends", true, pause + 11)).toBe(
      "And ends",
    );
    expect(speech.next("The **test** raced the timer. It now waits. And ends", true, pause + 12)).toBeNull();
  });

  it("[Y84] names code instead of spelling it, and says the end of what is too much", () => {
    const speech = new Speech();
    expect(speech.next("See `a`:\n\n```ts\nconst a = 1;\n", false, 0)).toBe("See a :");
    const code = "See `a`:\n\n```ts\nconst a = 1;\n```\n\nDone.\n";
    expect(speech.next(code, false, pause)).toBe("A block of code. Done.");
    const flood = `${"Many words follow here. ".repeat(100)}The end. `;
    const announced = new Speech().next(flood, false, 0) ?? "";
    expect(announced.length).toBeLessThan(300);
    expect(announced).toMatch(/^… .*The end\.$/);
  });
});
