// Which files the searching tools see: those that git itself would show.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { walk } from "../../src/search/walk.ts";
import { putFiles } from "../put-files.ts";

describe("what is ignored", () => {
  /** What git itself would show, tracked or not. */
  const shownByGit = (root: string): string[] =>
    execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" })
      .split("\0")
      .filter((path) => path !== "")
      .sort();
  const shown = (root: string): string[] =>
    [...walk(root, null)].flatMap(({ path, isDirectory }) => (isDirectory ? [] : [path])).sort();

  function repository(content: Record<string, string>): string {
    const root = mkdtempSync(join(tmpdir(), "patchbay-ignore-"));
    execFileSync("git", ["init", "-q", root]);
    putFiles(root, content);
    return root;
  }

  it("[W125] nested, negated and anchored rules and .git/info/exclude, as git has them", () => {
    const root = repository({
      ".gitignore": "*.log\n!keep.log\n/dist\nbuild/\n**/tmp/*.txt\n# words\n\\#odd\ntrailing  \n",
      ".git/info/exclude": "secret*\n",
      "a.log": "",
      "keep.log": "",
      "dist/x": "",
      "src/dist/x": "",
      "src/build/x": "",
      "src/tmp/a.txt": "",
      "src/tmp/a.md": "",
      "#odd": "",
      "secret.txt": "",
      "src/secrets/x": "",
      "src/.gitignore": "!a.log\n*.md\n",
      "src/a.log": "",
      "src/readme.md": "",
      ".hidden/x": "",
    });
    expect(shown(root)).toEqual(shownByGit(root));
    expect(shown(root)).toContain("src/a.log");
    expect(shown(join(root, "src"))).toEqual(
      shownByGit(root).flatMap((path) => (path.startsWith("src/") ? [path.slice(4)] : [])),
    );
    expect(shown(join(root, "dist"))).toEqual(["x"]); // asked for by name
    rmSync(root, { recursive: true });
  });

  it("[W125] any rules in any tree: the same files as git", () => {
    const name = fc.constantFrom("a", "b", "c.x", "d.y");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const rule = fc
      .tuple(
        fc.constantFrom("", "", "!", "/", "!/"),
        fc.constantFrom(
          "a",
          "b",
          "*.x",
          "d.y",
          "a/b",
          "**/b",
          "a/**",
          "?",
          "*",
          "b/*",
          "[ab]",
          "[!a]",
          "\\a",
          "{a,b}",
          "*(a)",
          "a/**/b",
          "c.?",
        ),
        fc.constantFrom("", "", "/"),
      )
      .map((parts) => parts.join(""));
    const rules = fc.array(rule, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"));
    const root = repository({});
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { maxLength: 8 }),
        fc.dictionary(fc.constantFrom("", "a/", "b/", "a/b/"), rules, { maxKeys: 3 }),
        (paths, ignores) => {
          const content: Record<string, string> = {};
          for (const one of paths) content[`${one}/f`] = "";
          for (const [where, text] of Object.entries(ignores)) content[`${where}.gitignore`] = text;
          putFiles(root, content);
          try {
            expect(shown(root)).toEqual(shownByGit(root));
          } finally {
            for (const top of Object.keys(content))
              rmSync(join(root, top.split("/")[0] ?? ""), { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 120 },
    );
    rmSync(root, { recursive: true });
  });
});
