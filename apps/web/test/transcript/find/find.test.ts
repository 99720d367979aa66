// @vitest-environment happy-dom
// Finding a text in a transcript, in what is shown and in what is folded or not on the page.
import type { Message } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { resultsOf, settledEntries, type TranscriptEntry } from "../../../src/transcript/entries/entries.ts";
import { markdownText } from "../../../src/transcript/find/entry-parts.ts";
import { EntryFinder, findTerm } from "../../../src/transcript/find/find-matches.ts";

const time = "2026-01-01T12:00:00Z";
const said = (role: "user" | "assistant", ...content: Message["content"]): Message => ({
  role,
  content,
  time,
});
const call = (id: string, command: string) => ({
  type: "tool_call" as const,
  id,
  name: "bash",
  args: { command },
});

const messages: Message[] = [
  said("user", { type: "text", text: "Find the needle, please" }),
  said("assistant", { type: "thinking", text: "A needle?" }, call("a", "grep needle ."), call("b", "ls")),
  {
    role: "tool",
    time,
    content: [
      {
        type: "tool_result",
        call_id: "a",
        is_error: false,
        content: [{ type: "text", text: "x: needle\ny: Needle" }],
      },
    ],
  },
  said("assistant", { type: "text", text: "The **nee**dle is in `hay` stack.\n\n- needle" }),
];

const find = (query: string, entries: readonly TranscriptEntry[] = settledEntries(messages, [])) => {
  const term = findTerm(query);
  return term === null ? null : new EntryFinder(term).find(entries, resultsOf(messages), () => undefined);
};

describe("find in a session", () => {
  it("[P263] counts every match in reading order, in text, thoughts, calls and their results", () => {
    expect(find("needle")?.map(({ row, call, group, nth }) => [row, call, group, nth])).toEqual([
      [0, null, null, 0],
      [1, null, null, 0],
      [1, "a", "group-a", 0],
      [1, "a", "group-a", 1],
      [1, "a", "group-a", 2],
      [2, null, null, 0],
      [2, null, null, 1],
    ]);
  });

  it("[P263] ignores case, takes any white space, and reads the query as it is written", () => {
    expect(find("NEEDLE   is in")).toHaveLength(1);
    expect(find("needle .")).toHaveLength(1);
    expect(find("n..dle")).toHaveLength(0);
    expect(find("   ")).toBeNull();
  });

  it("[P263] finds what was evicted in what was fetched, and again when it changes", () => {
    const entry: TranscriptEntry = { kind: "evicted", key: "message-0", index: 0, height: 10, time };
    const term = findTerm("old");
    if (term === null) throw new Error("no term");
    const finder = new EntryFinder(term);
    expect(finder.find([entry], new Map(), () => undefined)).toEqual([]);
    const parts = [{ text: "an old answer", call: null, group: null }];
    expect(finder.find([entry], new Map(), () => parts)).toHaveLength(1);
  });

  it("[P263] markdown is read without its markup", () => {
    const text = markdownText(
      "# A *title*\n\n[link](https://example.com) &amp; `code`\n\n| a | b |\n|---|---|\n| c | d |\n\n```ts\nlet x;\n```",
    );
    expect(text).toContain("A title\n");
    expect(text).toContain("link & code");
    expect(text).toContain("c\nd");
    expect(text).toContain("let x;");
    expect(text).not.toContain("example.com");
  });
});
