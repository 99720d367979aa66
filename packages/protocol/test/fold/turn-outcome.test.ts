// How a turn ended: decided once, from what the server requested and what the agent reported.
import { describe, expect, it } from "vitest";
import {
  emptyTranscript,
  type Frame,
  foldTranscript,
  type TurnEnding,
  TurnTracker,
} from "../../src/index.ts";

const time = "2026-11-17T10:00:00Z";
const prompt: Frame = { type: "user_message", content: [{ type: "text", text: "go" }], time };
const requested: Frame = { type: "stop_requested", time };
const step: Frame = { type: "turn_start", step: 1 };
const done: Frame = { type: "done" };
const end = (stop: "end" | "error" | "aborted" | "tool_use", error?: string): Frame => ({
  type: "turn_end",
  stop,
  ...(error === undefined ? {} : { error }),
});
const exited = (reason?: string): Frame => ({
  ...{ type: "worker", event: "exited", time, code: 1, signal: null },
  ...(reason === undefined ? {} : { reason }),
});

function endings(frames: readonly Frame[]): TurnEnding[] {
  const tracker = new TurnTracker();
  return frames.flatMap((frame) => tracker.frame(frame) ?? []);
}

const mark = (frames: readonly Frame[]) =>
  frames.reduce(foldTranscript, emptyTranscript).marks.find(({ kind }) => kind === "turn");

describe("the outcome of a turn", () => {
  it.each<[string, TurnEnding["outcome"], string, Frame[]]>([
    ["an answer", "done", "end", [prompt, step, end("end"), done]],
    ["an error", "failed", "error", [prompt, step, end("error", "http 500"), done]],
    ["an error without a turn_end", "failed", "end", [prompt, step, { type: "error", message: "no" }, done]],
    ["an abort that the agent reports", "stopped", "aborted", [prompt, step, end("aborted"), done]],
    [
      "zot's abort before headers",
      "stopped",
      "aborted",
      [prompt, step, end("error", "context canceled"), done],
    ],
    ["an abort during a tool", "stopped", "aborted", [prompt, step, end("tool_use"), done]],
    [
      "a stop that ends as another error",
      "stopped",
      "aborted",
      [prompt, requested, end("error", "reset"), done],
    ],
    [
      "a stop that ends as if all were well",
      "stopped",
      "aborted",
      [prompt, step, requested, end("end"), done],
    ],
    ["a stop that only done follows", "stopped", "aborted", [prompt, requested, done]],
    ["a stop that the agent did not survive", "stopped", "aborted", [prompt, requested, exited("killed")]],
    ["a worker that dies", "failed", "interrupted", [prompt, step, exited("exit code 1")]],
    ["a worker that a person ends", "stopped", "interrupted", [prompt, step, exited()]],
    ["a call that is tried again", "done", "end", [prompt, step, end("error", "503"), end("end"), done]],
  ])("[P73] %s: %s, and in the transcript %s", (_what, outcome, stop, frames) => {
    expect(endings(frames).map((ending) => ending.outcome)).toEqual([outcome]);
    expect(mark(frames)).toMatchObject({ stop });
  });

  it("[P73] a stop request concerns its own turn, and none where no turn runs", () => {
    expect(endings([requested, prompt, end("end"), done])).toMatchObject([{ outcome: "done" }]);
    expect(endings([prompt, requested, done, prompt, end("end"), done])).toMatchObject([
      { outcome: "stopped" },
      { outcome: "done" },
    ]);
    expect(endings([done, exited("dead")])).toEqual([]); // a compaction, a worker at rest
  });

  it("[P73] a stopped turn shows no error", () => {
    expect(mark([prompt, step, requested, end("error", "socket hang up"), done])).toMatchObject({
      stop: "aborted",
      error: null,
    });
  });

  it("[P400] a call that fails after a stop was requested was stopped; one that failed before it, or was denied, was not", () => {
    const result = (id: string, is_error: boolean, details?: Record<string, unknown>): Frame => ({
      ...{ type: "tool_result", id, is_error, content: [], ...(details === undefined ? {} : { details }) },
    });
    const frames = [
      ...[prompt, step, result("before", true), requested, result("after", true), result("fine", false)],
      ...[result("denied", true, { denied: true }), end("tool_use"), done],
    ];
    const [, tools] = frames.reduce(foldTranscript, emptyTranscript).messages;
    const ended = tools?.content.map((block) => block.type === "tool_result" && block.details?.["stopped"]);
    expect(ended).toEqual([undefined, true, undefined, undefined]);
  });
});
