// Which parts of a text are paths of files.
import { describe, expect, it } from "vitest";
import { isPath, pathsIn } from "../../src/code/find-paths.ts";

const found = (text: string) =>
  [...pathsIn(text)].map(({ start, length, path, line }) => [text.slice(start, start + length), path, line]);

describe("paths in a text", () => {
  it("[P262] are found with their lines, as models, compilers and tests write them", () => {
    expect(found("See src/mod.ts:2 and ./a/b.py:10:4.")).toEqual([
      ["src/mod.ts:2", "src/mod.ts", 2],
      ["./a/b.py:10:4", "./a/b.py", 10],
    ]);
    expect(found("/home/me/p/src/mod.ts(12,5): error TS2322")).toEqual([
      ["/home/me/p/src/mod.ts(12,5)", "/home/me/p/src/mod.ts", 12],
    ]);
    expect(found("at run (src/mod.ts:3:1)")).toEqual([["src/mod.ts:3:1", "src/mod.ts", 3]]);
    expect(found("It is in apps/web/README.md.")).toEqual([
      ["apps/web/README.md", "apps/web/README.md", null],
    ]);
    expect(found("mod.ts:7: unused")).toEqual([["mod.ts:7", "mod.ts", 7]]);
  });

  it("[P262] are not found in versions, addresses, hosts and plain words", () => {
    for (const text of [
      "version 1.2.3, e.g. Node.js or either/or",
      "https://example.com/a/b.html:80 and example.com/page.html",
      "3.14/2.71 is no file",
      "a..b and ... and /",
      "main.rs is named, not linked, in a sentence",
    ])
      expect(found(text), text).toEqual([]);
  });

  it("[P262] in code a name alone is enough, and all of it has to be the path", () => {
    expect(isPath("package.json")).toBe(true);
    expect(isPath("src/mod.ts:2")).toBe(true);
    expect(isPath("npm run src/mod.ts")).toBe(false);
    expect(isPath("array.map")).toBe(false);
  });
});
