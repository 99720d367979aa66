// Messages and content blocks, with the examples of zot's documentation.
import { ContentBlock, Message, messageText, ResultContent } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";

describe("messages", () => {
  it.each([
    '{"type": "text", "text": "..."}',
    '{"type": "image", "mime_type": "image/png", "bytes": 12345}',
    '{"type": "tool_call", "id": "toolu_xyz", "name": "read", "args": {"path": "..."}}',
    '{"type": "tool_result", "call_id": "toolu_xyz", "is_error": false, "content": [{"type": "text", "text": "..."}]}',
    '{"type": "tool_call", "id": "toolu_xyz", "name": "read", "args": null}',
    '{"type": "tool_result", "call_id": "a", "is_error": true, "content": [{"type": "image", "mime_type": "image/png", "bytes": 1}]}',
    '{"type": "thinking", "text": "hm", "signature": "s"}',
    '{"type": "image", "mime_type": "image/png", "bytes": 4, "data": "AAAAAA=="}',
    '{"type": "text", "text": "", "annotation": {"kept": true}}',
  ])("[P8] [P5] block %s", (line) => {
    const block: unknown = JSON.parse(line);
    expect(ContentBlock.safeParse(block)).toEqual({ success: true, data: block });
  });

  it.each([
    { type: "text" },
    { type: "text", text: 1 },
    { type: "image", mime_type: "image/png" },
    { type: "image", bytes: 1 },
    { type: "tool_call", name: "read", args: {} },
    { type: "tool_call", id: 1, name: "read", args: {} },
    { type: "tool_result", call_id: "a", content: [] },
    { type: "tool_result", call_id: "a", is_error: false },
    { type: "tool_result", call_id: "a", is_error: false, content: "text" },
    { type: "video" },
    { text: "no type" },
    null,
    "text",
  ])("[P8] no block: %j", (block) => {
    expect(ContentBlock.safeParse(block).success).toBe(false);
  });

  it("[P8] a result holds text and images, never another call", () => {
    expect(ResultContent.safeParse({ type: "text", text: "x" }).success).toBe(true);
    const call = { type: "tool_call", id: "a", name: "read", args: {} };
    expect(ResultContent.safeParse(call).success).toBe(false);
    const nested = { type: "tool_result", call_id: "a", is_error: false, content: [call] };
    expect(ContentBlock.parse(nested)).toEqual({
      ...nested,
      content: [{ type: "text", text: "[unreadable tool_call block]" }],
    });
  });

  it.each(["user", "assistant", "tool"])("[P8] a message of role %s", (role) => {
    const message = { role, content: [], time: "2026-04-19T11:30:00.123456789+02:00", extra: 1 };
    expect(Message.safeParse(message)).toEqual({ success: true, data: message });
  });

  it.each([
    { role: "system", content: [], time: "t" },
    { role: "user", content: "text", time: "t" },
    { role: "user", content: [] },
  ])("[P8] no message: %j", (message) => {
    expect(Message.safeParse(message).success).toBe(false);
  });

  it.each([
    [{ type: "text" }, "text"],
    [{ type: "hologram", data: [1, 2] }, "hologram"],
    [{ type: { toString: 1, valueOf: 1 } }, "unknown"],
    [{ type: "x".repeat(100_000) }, "x".repeat(40)],
    [{ text: "no type" }, "unknown"],
    [null, "unknown"],
    ["text", "unknown"],
  ])(
    "[P8] [P7] a block that cannot be read becomes words that say so, and the rest is kept",
    (block, name) => {
      const kept = { type: "text", text: "kept" };
      const message = { role: "user", content: [kept, block, kept], time: "t" };
      const said = { type: "text", text: `[unreadable ${name} block]` };
      expect(Message.parse(message)).toEqual({ ...message, content: [kept, said, kept] });
    },
  );

  it("[P8] its words are those of its text blocks", () => {
    const content = [
      { type: "thinking" as const, text: "hidden" },
      { type: "text" as const, text: "one" },
      { type: "tool_call" as const, id: "a", name: "b", args: {} },
      { type: "text" as const, text: "two" },
    ];
    expect(messageText({ content })).toBe("one\ntwo");
    expect(messageText({ content: [] })).toBe("");
  });
});
