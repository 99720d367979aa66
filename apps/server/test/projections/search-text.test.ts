// What frames say, and which paths are meant: pure functions.
import type { Frame } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { readTerms } from "../../src/http/search.ts";
import { rankPaths } from "../../src/machine/files/rank-paths.ts";
import { SearchTextReader } from "../../src/projections/search-text.ts";

const time = "2026-01-01T00:00:00Z";
const text = (words: string) => ({ type: "text" as const, text: words });

describe("what is said", () => {
  it("[L22] prompts, answers, calls and their output, a person's commands and summaries are found; thinking is not", () => {
    const reader = new SearchTextReader(time);
    const frames: Frame[] = [
      { type: "user_message", content: [text("fix it"), { ...text("file content"), mention: "a.ts" }], time },
      {
        type: "assistant_message",
        content: [
          { type: "thinking", text: "hmm" },
          text("I will."),
          {
            type: "tool_call",
            id: "1",
            name: "bash",
            args: { command: "npm test", nested: [{ deep: "x" }] },
          },
        ],
        time: "2026-01-02T00:00:00Z",
      },
      { type: "tool_result", id: "1", is_error: false, content: [text("1 failed")] },
      { type: "compact_done", summary: "all so far" },
      { type: "text_delta", delta: "streamed" },
    ];
    const said = frames.flatMap((frame, index) => reader.read(frame, index + 1));
    const told = said.flatMap((telling) => ("answer" in telling ? [] : [telling]));
    expect(told.map(({ seq, part, kind, text: words }) => [seq, part, kind, words])).toEqual([
      [1, 0, "prompt", "fix it"],
      [2, 0, "answer", "I will."],
      [2, 1, "tool", "bash npm test x"],
      [3, 0, "output", "1 failed"],
      [4, 0, "summary", "all so far"],
    ]);
    expect(said[3]?.time).toBe("2026-01-02T00:00:00Z");
  });

  it("[L24] each is found with the branch it was said on", () => {
    const reader = new SearchTextReader(time);
    const prompt = (words: string): Frame => ({ type: "user_message", content: [text(words)], time });
    const branches = [
      prompt("one"),
      { type: "branched", branch: "b1", from: "main", entry_id: null, time } as const,
      prompt("two"),
      { type: "branch_switched", branch: "main", from: "b1", time } as const,
      prompt("three"),
    ].flatMap((frame, index) => reader.read(frame, index + 1).map((said) => said.branch));
    expect(branches).toEqual(["main", "b1", "main"]);
  });

  it("[L22] quotes hold a phrase together, also before they are closed", () => {
    expect(readTerms('retry "not found" x"y')).toEqual([
      { text: "retry", phrase: false },
      { text: "not found", phrase: true },
      { text: "x", phrase: false },
      { text: "y", phrase: true },
    ]);
    expect(readTerms('  "" ')).toEqual([]);
  });
});

describe("paths", () => {
  it("[L25] the likeliest come first: the name, its beginning, letters in it, letters of the path in order", () => {
    const paths = [
      "src/retry.ts",
      "src/deep/er/retry.ts",
      "test/retry.test.ts",
      "docs/entry-rules.md",
      "r/e/t/r/y",
      "a.ts",
    ];
    expect(rankPaths(paths, "retry.ts", 2)).toEqual(["src/retry.ts", "src/deep/er/retry.ts"]);
    expect(rankPaths(paths, "retry", 10)).toEqual([
      "src/retry.ts",
      "test/retry.test.ts",
      "src/deep/er/retry.ts",
      "r/e/t/r/y",
    ]);
    expect(rankPaths(paths, "teretts", 1)).toEqual(["test/retry.test.ts"]);
    expect(rankPaths(paths, "", 2)).toEqual(["a.ts", "src/retry.ts"]);
  });
});
