// @vitest-environment happy-dom
// What a model writes is a stranger's text: it may look like markup, but it must not act.
import { act } from "react";
import { createRoot } from "react-dom/client";
import { describe, expect, it, vi } from "vitest";
import Markdown from "../../../src/transcript/markdown/streamed-markdown.tsx";

const read: string[] = [];
vi.mock(import("../../../src/transcript/markdown/grammar.ts"), async (original) => {
  const grammar = await original();
  return {
    ...grammar,
    lexAll: (source: string) => {
      read.push(source);
      return grammar.lexAll(source);
    },
  };
});

Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

function draw() {
  const element = document.createElement("div");
  const root = createRoot(element);
  return {
    element,
    write: (text: string, live = false) => act(() => root.render(<Markdown text={text} live={live} />)),
  };
}

describe("Markdown", () => {
  it("shows markup as text, and runs none of it", () => {
    const { element, write } = draw();
    write(
      '<script>alert(1)</script>\n\n<img src=x onerror="alert(1)">\n\n<iframe src="https://example.com"></iframe>',
    );
    expect(element.querySelector("script, img, iframe")).toBeNull();
  });

  it("[Y77] opens links elsewhere, and never runs one", () => {
    const { element, write } = draw();
    write("[good](https://example.com) [bad](javascript:alert(1))");
    const [good, bad] = element.querySelectorAll("a");
    expect(good?.getAttribute("rel")).toContain("noopener");
    expect(good?.getAttribute("target")).toBe("_blank");
    expect(bad?.getAttribute("href") ?? "").not.toContain("javascript");
  });

  it("names a picture from elsewhere without fetching it", () => {
    const { element, write } = draw();
    write("![a chart](https://example.com/chart.png)");
    expect(element.querySelector("img")).toBeNull();
    expect(element.querySelector("a")?.textContent).toBe("a chart");
  });

  it("closes unfinished syntax while it grows", () => {
    const { element, write } = draw();
    write("This is **bol", true);
    expect(element.querySelector("strong")?.textContent).toBe("bol");
  });

  it("does not touch settled blocks when the text grows", () => {
    const { element, write } = draw();
    write("First **one**.\n\nSecond", true);
    const settled = element.querySelector("strong");
    write("First **one**.\n\nSecond is longer now.\n\nThird", true);
    expect(element.querySelector("strong")).toBe(settled);
    expect(element.querySelectorAll("p")).toHaveLength(3);
  });

  it("[Y76] reads each settled block once, however many deltas an answer has", () => {
    const { write } = draw();
    const blocks = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} has **words**.`);
    const source = blocks.join("\n\n");
    read.length = 0;
    for (let end = 10; end < source.length; end += 10) write(source.slice(0, end), true);
    write(source);
    for (const block of blocks.slice(0, -1)) {
      const times = read.filter((text) => text.trim() === block).length;
      expect(times, block).toBeLessThanOrEqual(3); // as the tail: before, at and after its last letter
    }
    const deltas = source.length / 10;
    expect(read.length).toBeLessThan(deltas + 3 * blocks.length);
  });

  it("[Y77] lists, tables, tasks, quotes and entities are what they look like", () => {
    const { element, write } = draw();
    write(
      "3. three\n4. four\n\n- [x] done\n- [ ] open\n\n| a | b |\n|--|--:|\n| 1 | `2` |\n\n> said &amp; &lt;done&gt;\n\n~~gone~~ \\*not\\*  \nnext",
    );
    expect(element.querySelector("ol")?.getAttribute("start")).toBe("3");
    expect([...element.querySelectorAll("input")].map((box) => box.checked)).toEqual([true, false]);
    expect(element.querySelectorAll("td")).toHaveLength(2);
    expect(element.querySelector("blockquote")?.textContent?.trim()).toBe("said & <done>");
    expect(element.querySelector("del")?.textContent).toBe("gone");
    expect(element.textContent).toContain("*not*");
    expect(element.querySelector("br")).not.toBeNull();
  });

  it("[Y78] formulas become MathML, amounts of money do not, and a wrong formula stays as it was written", async () => {
    const { element, write } = draw();
    write(
      "It is $a^2 + b^2$ and \\(c\\), for $5 and $6.\n\n$$\n\\frac{1}{2}\n$$\n\n$\\frac{$ \\href{javascript:alert(1)}{x}",
    );
    await act(async () => {
      await import("temml"); // what the first formula has loaded too
      await new Promise((resolve) => setTimeout(resolve));
    });
    expect(element.querySelectorAll("math")).toHaveLength(3);
    expect(element.querySelector("mfrac")).not.toBeNull();
    expect(element.textContent).toContain("for $5 and $6.");
    expect(element.querySelector("a, script, [href]")).toBeNull();
  });
});
