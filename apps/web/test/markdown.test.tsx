// @vitest-environment happy-dom
// What a model writes is a stranger's text: it may look like markup, but it must not act.
import { act } from "react";
import { createRoot } from "react-dom/client";
import { describe, expect, it } from "vitest";
import Markdown from "../src/transcript/markdown.tsx";

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

  it("opens links elsewhere, and never runs one", () => {
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
});
