// Snapshots are read in a short way where messages are plain. It must give what the schema gives.
import { ServerLine } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { readServerLine } from "../../../src/connection/socket/read-snapshot.ts";

const snapshot = (messages: unknown[]) => ({
  type: "snapshot",
  seq: 7,
  messages,
  marks: [],
  partial: null,
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
  context_tokens: null,
  surface: {
    title: null,
    statuses: [],
    widgets: [],
    panels: [],
    asked: [],
    settings: null,
    steering: [],
    compacting: null,
  },
  bash: [],
  branch: "main",
  branches: [],
});

const text = { type: "text", text: "a" };
const messages: unknown[] = [
  {
    role: "user",
    time: "t",
    entry_id: "e",
    content: [text, { type: "image", mime_type: "image/png", bytes: 3 }],
  },
  { role: "user", time: "t", steering: true, content: [{ ...text, mention: "src/a.ts", more: 1 }] },
  {
    role: "assistant",
    time: "t",
    content: [
      { type: "thinking", text: "hm", duration_ms: 2 },
      { type: "tool_call", id: "1", name: "bash", args: null },
      { type: "from the future", text: 1 },
    ],
  },
  {
    role: "tool",
    time: "t",
    content: [{ type: "tool_result", call_id: "1", is_error: false, content: [text], details: { diff: "" } }],
  },
  {
    role: "user",
    time: "t",
    content: [],
    bash: { id: "b", command: "ls", exit_code: 0, cancelled: false, truncated: false },
  },
];

describe("a snapshot", () => {
  it("[Y75] is read as its schema reads it, in the order it came", () => {
    const line = snapshot([...messages, ...messages.toReversed()]);
    expect(readServerLine(line)).toEqual(ServerLine.safeParse(line));
  });

  it.each([
    { role: "nobody", time: "t", content: [] },
    { role: "user", content: [] },
    { role: "user", time: "t", content: "words" },
    { role: "user", time: "t", content: [], entry_id: 7 },
    "no message",
  ])("[Y75] with a message that is none is refused: %j", (wrong) => {
    expect(ServerLine.safeParse(snapshot([wrong])).success).toBe(false);
    expect(readServerLine(snapshot([...messages, wrong])).success).toBe(false);
  });
});
