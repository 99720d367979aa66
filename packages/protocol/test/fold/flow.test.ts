// The flow of turns in the fold: steering, retries, and how full the context is.
import { emptyTranscript, type Frame, foldTranscript, type Transcript } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";

const text = (words: string) => ({ type: "text" as const, text: words });
const time = "2026-01-01T00:00:00Z";
const user = (words: string, more: object = {}): Frame => ({
  type: "user_message",
  content: [text(words)],
  time,
  ...more,
});
const call = (input: number, more: object = {}): Frame => ({
  type: "usage",
  input,
  output: 10,
  cache_read: 5,
  cache_write: 1,
  cost_usd: 0,
  ...more,
});
const fold = (...frames: Frame[]): Transcript => frames.reduce(foldTranscript, emptyTranscript);

const step: Frame[] = [
  { type: "turn_start", step: 1 },
  { type: "assistant_message", content: [{ type: "tool_call", id: "t", name: "ls", args: {} }], time },
  { type: "turn_end", stop: "tool_use" },
  { type: "tool_result", id: "t", is_error: false, content: [text("files")] },
];

describe("steering", () => {
  it("[P60] goes into the running turn after the results so far, and the turn goes on", () => {
    const steered = fold(user("go"), ...step, user("rather not", { steering: true, key: "k" }));
    expect(steered.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(steered.messages.at(-1)).toEqual({
      role: "user",
      content: [text("rather not")],
      time,
      steering: true,
    });
    expect(steered.partial).not.toBeNull();
    expect(steered.marks).toEqual([]);
    const ended = [
      { type: "turn_start", step: 2 },
      { type: "assistant_message", content: [text("fine")], time },
      { type: "turn_end", stop: "end" },
      { type: "done" },
    ] satisfies Frame[];
    const over = ended.reduce<Transcript>(foldTranscript, steered);
    expect(over.marks.map(({ kind }) => kind)).toEqual(["turn"]);
    expect(over.messages).toHaveLength(5);
  });

  it("[P60] several messages before the first model call begin one turn", () => {
    const begun = fold(user("left over", { steering: true }), user("go"), user("and this"));
    expect(begun.messages).toHaveLength(3);
    expect(begun.marks).toEqual([]);
    expect(begun.partial).not.toBeNull();
  });

  it("[P60] without a running turn it begins one", () => {
    expect(fold(user("hi", { steering: true })).partial).not.toBeNull();
  });

  it("[P60] what waits is in the UI state until it is said, or the worker is gone", () => {
    const waiting = fold({ type: "queue_update", steering: ["a", "b"], follow_up: [] });
    expect(waiting.surface.steering).toEqual(["a", "b"]);
    const said = foldTranscript(waiting, { type: "queue_update", steering: [], follow_up: [] });
    expect(said.surface.steering).toEqual([]);
    const gone = foldTranscript(waiting, { type: "worker", event: "exited", time });
    expect(gone.surface.steering).toEqual([]);
    expect(foldTranscript(said, { type: "queue_update", steering: [], follow_up: ["x"] })).toBe(said);
  });
});

describe("a call that is tried again", () => {
  it("[P61] takes back text, thinking and half a tool call", () => {
    const half: Frame[] = [
      user("go"),
      { type: "turn_start", step: 1 },
      { type: "assistant_start" },
      { type: "thinking_delta", delta: "hm" },
      { type: "text_delta", delta: "half" },
      { type: "tool_use_start", id: "t", name: "bash" },
      { type: "tool_use_args", id: "t", delta: '{"comm' },
      { type: "auto_retry_start", attempt: 1, maxAttempts: 5, delayMs: 1, errorMessage: "cut" },
    ];
    const again = fold(...half);
    expect(again.partial).toMatchObject({ content: [], tools: [], step: 1 });
    const whole = foldTranscript(again, { type: "text_delta", delta: "whole" });
    expect(whole.partial?.content).toEqual([text("whole")]);
  });
});

describe("how full the context is", () => {
  it("[P62] is what the last answer's call told, whatever a compaction's call says", () => {
    const told = fold(user("go"), { type: "turn_start", step: 1 }, call(100));
    expect(told.context_tokens).toBe(116);
    expect(foldTranscript(told, call(9_000, { purpose: "compaction" })).context_tokens).toBe(116);
    expect(foldTranscript(told, call(9_000, { auxiliary: true, reasoning: null })).context_tokens).toBe(116);
    const silent = {
      type: "usage",
      input: 0,
      output: 0,
      cache_read: 0,
      cache_write: 0,
      cost_usd: 0,
    } as const;
    expect(foldTranscript(told, silent).context_tokens).toBe(116);
    const compacted = foldTranscript(told, { type: "compact_done", summary: "s", kept: 0 });
    expect(compacted.context_tokens).toBeNull();
    expect(compacted.partial).not.toBeNull();
    expect(foldTranscript(compacted, call(50)).context_tokens).toBe(66);
  });
});
