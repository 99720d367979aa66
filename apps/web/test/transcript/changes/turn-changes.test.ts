// What the end of a turn says about the files it changed.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Mark, Message } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { turnChanges } from "../../../src/transcript/changes/turn-changes.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const time = "2026-01-01T12:00:00Z";
const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 };
const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n same\n-old\n+new\n+more";

interface Edit {
  path: string;
  diff?: string;
  failed?: boolean;
  name?: string;
}

function turn(...edits: Edit[]): { messages: Message[]; mark: Extract<Mark, { kind: "turn" }> } {
  const messages: Message[] = [
    { role: "user", time, content: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      time,
      content: edits.map(({ path, name = "write" }, at) => ({
        type: "tool_call" as const,
        id: `c${at}`,
        name,
        args: name === "bash" ? { command: path } : { path, content: "text" },
      })),
    },
    {
      role: "tool",
      time,
      content: edits.map(({ diff: text, failed = false }, at) => ({
        type: "tool_result" as const,
        call_id: `c${at}`,
        is_error: failed,
        content: [],
        ...(text === undefined ? {} : { details: { diff: text } }),
      })),
    },
  ];
  const mark = {
    kind: "turn" as const,
    at: messages.length,
    calls: 1,
    stop: "end" as const,
    usage,
    error: null,
  };
  return { messages, mark };
}

const changesOf = (...edits: Edit[]) => {
  const { messages, mark } = turn(...edits);
  return turnChanges(messages, mark);
};

describe("the changes of a turn", () => {
  it("[P264] are the files of its edits, with the lines of their differences", () => {
    expect(changesOf({ path: "a", diff }, { path: "b", diff })).toEqual({
      files: 2,
      lines: { added: 4, removed: 2 },
    });
  });

  it("[P264] have no number of lines where it would not be exact", () => {
    expect(changesOf({ path: "a", diff }, { path: "a", diff })).toEqual({ files: 1, lines: null });
    expect(changesOf({ path: "a", diff }, { path: "b" })).toEqual({ files: 2, lines: null });
  });

  it("[P264] are not told where nothing was edited, or it failed", () => {
    expect(changesOf({ path: "ls", name: "bash" })).toBeNull();
    expect(changesOf({ path: "a", diff, failed: true })).toBeNull();
  });

  it("[P264] are those of its own turn", () => {
    const { messages, mark } = turn({ path: "a", diff });
    const later: Message = { role: "user", time, content: [{ type: "text", text: "next" }] };
    const first = turnChanges(messages, mark);
    expect(turnChanges([...messages, later], mark)).toEqual(first);
    expect(turnChanges([...messages, later], { ...mark, at: messages.length + 1 })).toBeNull();
  });

  it("[Y85] keep nothing of the messages that they were read from, however long the mark stays", async () => {
    const marks: Mark[] = [];
    const read = (): WeakRef<Message> => {
      const { messages, mark } = turn({ path: "a", diff });
      marks.push(mark);
      expect(turnChanges(messages, mark)?.files).toBe(1);
      return new WeakRef(messages[1] as Message);
    };
    const edit = read();
    await new Promise((resolve) => setImmediate(resolve)); // a reference that was read lives until its task ends
    collectGarbage();
    expect(edit.deref()).toBeUndefined();
    expect(marks).toHaveLength(1);
  });
});
