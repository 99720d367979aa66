// Which prompt the page offers to send again: the last one, if its turn was cut short.
import { emptyTranscript, type Mark, type Message, noUsage, type Transcript } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { retryOf } from "../../../src/transcript/entries/entries.ts";

const user = (text: string, ...more: Message["content"]): Message => ({
  role: "user",
  content: [{ type: "text", text }, ...more],
  time: "",
});
const turn = (at: number, stop: "interrupted" | "error" | "aborted" | "end"): Mark => ({
  kind: "turn",
  at,
  stop,
  error: null,
  calls: 0,
  usage: noUsage,
});
const transcript = (messages: Message[], marks: Mark[]): Transcript => ({
  ...emptyTranscript,
  messages,
  marks,
});

describe("retryOf", () => {
  it.each(["interrupted", "error"] as const)("offers the prompt of a turn that ended with %s", (stop) => {
    const mark = turn(1, stop);
    expect(retryOf(transcript([user("again")], [mark]))).toEqual({
      mark,
      prompt: { message: "again", images: [] },
    });
  });

  it("offers it where the worker's end is told", () => {
    const exit: Mark = {
      kind: "worker_exit",
      at: 1,
      reason: "",
      code: 3,
      signal: null,
      stderr: "",
      time: "",
    };
    expect(retryOf(transcript([user("again")], [turn(1, "interrupted"), exit]))?.mark).toBe(exit);
    expect(retryOf(transcript([user("again")], [exit, turn(1, "interrupted")]))?.mark).toBe(exit);
    const old: Mark = { ...exit, at: 0 };
    const mark = turn(1, "interrupted");
    expect(retryOf(transcript([user("again")], [old, mark]))?.mark).toBe(mark);
  });

  it.each(["end", "aborted"] as const)("offers nothing after a turn that ended with %s", (stop) => {
    expect(retryOf(transcript([user("no")], [turn(1, stop)]))).toBeNull();
  });

  it("offers nothing once something was asked since", () => {
    expect(retryOf(transcript([user("old"), user("new")], [turn(1, "interrupted")]))).toBeNull();
    const running = transcript([user("old")], [turn(1, "interrupted")]);
    const partial = {
      step: 1,
      content: [],
      tools: [],
      calls: 0,
      usage: noUsage,
      stop: null,
      error: null,
      time: "",
    };
    expect(retryOf({ ...running, partial })).toBeNull();
  });

  it("sends the pictures along, and offers nothing when one is gone", () => {
    const kept = { type: "image" as const, mime_type: "image/png", bytes: 3, data: "AAAA" };
    const { data: _data, ...gone } = kept;
    const mark = turn(1, "interrupted");
    expect(retryOf(transcript([user("see", kept)], [mark]))?.prompt.images).toEqual([
      { mime_type: "image/png", data: "AAAA" },
    ]);
    expect(retryOf(transcript([user("see", kept, gone)], [mark]))).toBeNull();
  });
});
