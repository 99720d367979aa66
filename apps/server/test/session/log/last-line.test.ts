// The line that the list shows of a transcript.
import type { ContentBlock, Message } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { lastLine } from "../../../src/session/log/last-line.ts";

const message = (role: Message["role"], ...content: ContentBlock[]): Message => ({
  role,
  content,
  time: "2026-01-01T00:00:00Z",
});
const text = (words: string): ContentBlock => ({ type: "text", text: words });
const call: ContentBlock = { type: "tool_call", id: "1", name: "bash", args: { command: "npm test\nexit" } };
const result: ContentBlock = { type: "tool_result", call_id: "1", is_error: false, content: [] };

describe("the last line of a session", () => {
  it.each<[string, Message[], string | undefined]>([
    ["nothing was said", [], undefined],
    ["the prompt's first line", [message("user", text("\n\nFix it\nplease"))], "Fix it"],
    [
      "the answer's last line, plain",
      [message("assistant", text("A\n\n## **Done** in `a.ts`\n\n```\n---"))],
      "Done in a.ts",
    ],
    [
      "the tool that was called last",
      [message("assistant", text("I run it"), call), message("tool", result)],
      "bash npm test",
    ],
    [
      "no file that was mentioned",
      [message("user", text("Read @a"), { type: "text", text: "all of a", mention: "a" })],
      "Read @a",
    ],
    ["no controls", [message("assistant", text("a\u001b[31m\u202eb"))], "a [31m b"],
  ])("[P202] is %s", (_, messages, line) => expect(lastLine(messages)).toBe(line));

  it("[P202] is bounded, however long the text is", () => {
    const line = lastLine([message("assistant", text("word ".repeat(2_000_000)))]) ?? "";
    expect(line).toHaveLength(200);
    expect(line.endsWith("…")).toBe(true);
  });
});
