// What tool cards make of arguments and results that a model and a worker wrote.
import { describe, expect, it } from "vitest";
import { diffEdits } from "../../../src/code/diff/diff-edits.ts";
import { countChanges, countEdits, parseDiff } from "../../../src/code/diff/diff-lines.ts";
import { readBashOutput } from "../../../src/transcript/tools/bash-output.ts";
import { describeTool } from "../../../src/transcript/tools/describe-tool.ts";
import { peekArgs, readCall, summariseArgs } from "../../../src/transcript/tools/tool-args.ts";
import type { ToolState } from "../../../src/transcript/tools/tool-state.ts";

const done = (text: string, failed = false, details: Record<string, unknown> = {}): ToolState => ({
  state: "done",
  failed,
  ended: null,
  content: [{ type: "text", text }],
  duration: 5,
  details,
});

describe("shell output", () => {
  it("loses the command and the exit code, which the line shows", () => {
    expect(readBashOutput("$ ls\n\na\nb\n\n[exit 0]  Took 0.3s", "ls")).toEqual({
      text: "a\nb",
      exit: 0,
      note: "",
    });
  });

  it("keeps what the worker says beside the exit code", () => {
    const raw = "$ x\n\nout\n\n[exit -1] ended after its timeout of 5 s (full output: /tmp/a.log)  Took 5.0s";
    expect(readBashOutput(raw, "x")).toEqual({
      text: "out",
      exit: -1,
      note: "ended after its timeout of 5 s (full output: /tmp/a.log)",
    });
  });

  it("output that merely looks like it stays", () => {
    expect(readBashOutput("[exit 1] said the program\nand went on", "x").exit).toBeNull();
    expect(readBashOutput("$ other\n\nout", "x").text).toBe("$ other\n\nout");
    expect(readBashOutput("live so f", "x")).toEqual({ text: "live so f", exit: null, note: "" });
  });
});

describe("edits", () => {
  it("the worker's diff is read with its gaps", () => {
    const lines = parseDiff(" a\n-b\n+c\n+d\n...\n-e");
    expect(lines?.map(({ kind }) => kind)).toEqual(["same", "removed", "added", "added", "gap", "removed"]);
    expect(countChanges(lines ?? [])).toEqual({ added: 2, removed: 2 });
  });

  it("lines have their numbers in the file, and a line of dashes is a line", () => {
    const diff =
      "--- a/x\n+++ b/x\n@@ -9,3 +9,3 @@\n same\n--- old rule\n+new rule\n last\n\\ No newline at end of file";
    expect(parseDiff(diff)).toEqual([
      { kind: "same", text: "same", number: 9 },
      { kind: "removed", text: "-- old rule", number: 10 },
      { kind: "added", text: "new rule", number: 10 },
      { kind: "same", text: "last", number: 11 },
    ]);
  });

  it("a text without changes is no diff", () => expect(parseDiff("Edited a.txt")).toBeNull());

  it("from the arguments alone, only changed lines count", () => {
    const lines = diffEdits([{ oldText: "a\nb\nc", newText: "a\nB\nc" }]);
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same a",
      "removed b",
      "added B",
      "same c",
    ]);
  });

  it("a line of changes is counted without comparing", () => {
    expect(countEdits([{ oldText: "a\nb\nc", newText: "a\nB\nc" }])).toEqual({ added: 1, removed: 1 });
    expect(
      countEdits([
        { oldText: "a\n", newText: "a\na\n" },
        { oldText: "x", newText: "" },
      ]),
    ).toEqual({
      added: 1,
      removed: 1,
    });
  });
});

describe("arguments", () => {
  it("known tools are read, and any other shape is shown as it is", () => {
    expect(readCall("bash", { command: "ls" })).toEqual({ tool: "bash", command: "ls" });
    expect(readCall("bash", { command: 7 })).toEqual({ tool: "other" });
    expect(readCall("edit", null)).toEqual({ tool: "other" });
    expect(readCall("deploy", {})).toEqual({ tool: "other" });
  });

  it("unfinished arguments already say something", () => {
    expect(peekArgs('{"path":"src/a')).toBe("src/a");
    expect(peekArgs('{"command": "echo \\"hi\\"", "timeout"')).toBe('echo "hi"');
    expect(peekArgs('{"path":"a\\u00')).toBe("");
    expect(peekArgs('{"pa')).toBe("");
  });

  it("unknown tools show their short values", () => {
    expect(summariseArgs({ query: "x", limit: 3, deep: { a: 1 } })).toBe("query=x limit=3");
    expect(summariseArgs(null)).toBe("");
  });
});

describe("the line of a tool", () => {
  it("has paths from the session's directory and counts", () => {
    expect(describeTool("read", { path: "/p/a.ts" }, done("1\n2\n"), "/p")).toMatchObject({
      object: "a.ts",
      detail: "2 lines",
    });
    expect(describeTool("read", { path: "a", offset: 10, limit: 5 }, done(""), "/p")).toMatchObject({
      detail: "lines 10–14",
    });
    expect(describeTool("write", { path: "a", content: "x\n" }, done(""), "/p")).toMatchObject({
      detail: "1 line",
    });
  });

  it("has the exit code of a command and the first line of a long one", () => {
    const shape = describeTool("bash", { command: "a\nb\nc" }, done("[exit 4]", true), "/p");
    expect(shape).toMatchObject({ object: "a", detail: "+ 2 lines", exit: 4 });
  });

  it("says what a search looked for and how much it found", () => {
    const found =
      "a.ts:1: x\na.ts-2- y\n--\nb.ts:7: x\n[2 matches shown, there are more; narrow it down, or raise limit]";
    expect(describeTool("grep", { pattern: "x", path: "/p/src" }, done(found), "/p")).toMatchObject({
      object: '"x" in src',
      detail: "2+ matches",
    });
    expect(describeTool("find", { pattern: "*.ts" }, done("nothing found"), "/p")).toMatchObject({
      object: "*.ts",
      detail: "no matches",
    });
    expect(describeTool("ls", {}, done("a/\nb"), "/p")).toMatchObject({ object: ".", detail: "2 entries" });
  });

  it("shows what a write changed in a file that was there, from the worker's details", () => {
    const diff = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y";
    const shape = describeTool("write", { path: "a", content: "y\n" }, done("", false, { diff }), "/p");
    expect(shape).toMatchObject({ change: { added: 1, removed: 1 }, detail: "" });
  });

  it("a refused edit shows what was wanted", () => {
    const args = { path: "a", edits: [{ oldText: "x", newText: "y" }] };
    expect(describeTool("edit", args, done("oldText not found", true), "/p").change).toEqual({
      added: 1,
      removed: 1,
    });
  });
});
