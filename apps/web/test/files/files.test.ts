// The tree of changed files, the lines of a diff, and what comments become.
import { describe, expect, it } from "vitest";
import { commentsPrompt } from "../../src/files/changes/comments.ts";
import { readRows } from "../../src/files/changes/read-diff.ts";
import { filesInTree, treeOf } from "../../src/files/tree.ts";

const file = (path: string) => ({ path, change: "modified", added: 1, removed: 0 });

describe("changed files", () => {
  it("are a tree, directories first, and lonely directories are one line", () => {
    const tree = treeOf([
      file("z.txt"),
      file("a/b/c.ts"),
      file("a/b/d.ts"),
      file("e/f.ts"),
      file("e/g/h.ts"),
    ]);
    const draw = (nodes: typeof tree): unknown[] =>
      nodes.map((node) => (node.kind === "file" ? node.name : { [node.name]: draw(node.children) }));
    expect(draw(tree)).toEqual([{ "a/b": ["c.ts", "d.ts"] }, { e: [{ g: ["h.ts"] }, "f.ts"] }, "z.txt"]);
    expect(filesInTree(tree).map(({ path }) => path)).toEqual([
      "a/b/c.ts",
      "a/b/d.ts",
      "e/g/h.ts",
      "e/f.ts",
      "z.txt",
    ]);
  });

  it("have lines with their numbers before and after", () => {
    const diff =
      "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -3,3 +3,3 @@ around\n same\n-old\n+new\n last\n\\ No newline at end of file\n";
    expect(readRows(diff)).toEqual([
      { kind: "gap", text: "" },
      { kind: "same", text: "same", before: 3, after: 3 },
      { kind: "removed", text: "old", before: 4 },
      { kind: "added", text: "new", after: 4 },
      { kind: "same", text: "last", before: 5, after: 5 },
    ]);
  });

  it("a file that is new, empty or binary has no lines or only added ones", () => {
    expect(
      readRows(
        "diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n",
      ),
    ).toEqual([{ kind: "added", text: "one", after: 1 }]);
    expect(readRows("diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ\n")).toEqual([]);
  });

  it("comments say where they are about and what stands there", () => {
    const prompt = commentsPrompt([
      { path: "a.ts", line: 3, removed: false, code: "  call();", text: " why? " },
      { path: "b.ts", line: 9, removed: true, code: "", text: "bring it back" },
    ]);
    expect(prompt).toContain("2 comments on your changes");
    expect(prompt).toContain("`a.ts:3`\n>   call();\n\nwhy?");
    expect(prompt).toContain("`b.ts`, where line 9 was removed\n> (an empty line)\n\nbring it back");
  });
});
