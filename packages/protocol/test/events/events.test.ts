// Events: a valid example of each, and for each of its fields what happens when it is missing or of
// another type.
import { readFrame, readFrameValue, StopReason } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { fixtureLines } from "../fixture.ts";

const text = [{ type: "text", text: "x" }];

/** Each event with all its required fields. */
const events = {
  user_message: { content: text, time: "2026-04-19T11:30:00Z" },
  turn_start: { step: 1 },
  assistant_start: {},
  text_delta: { delta: "x" },
  thinking_delta: { delta: "x" },
  tool_use_start: { id: "toolu_xyz", name: "read" },
  tool_use_args: { id: "toolu_xyz", delta: "{" },
  tool_use_end: { id: "toolu_xyz" },
  usage: { input: 310, output: 77, cache_read: 512, cache_write: 0, cost_usd: 0.0042 },
  assistant_message: { content: text, time: "0001-01-01T00:00:00Z" },
  tool_call: { id: "toolu_xyz", name: "read", args: { path: "..." } },
  tool_progress: { id: "toolu_xyz", text: "x" },
  tool_result: { id: "toolu_xyz", is_error: false, content: text },
  turn_end: { stop: "end" },
  error: { message: "x" },
  done: {},
  compact_done: { summary: "x" },
  ext_notify: { extension: "e", level: "info", message: "x" },
  ext_display: { extension: "e", text: "x" },
  extension_ui_request: { id: "q1", method: "confirm" },
  settings: {},
  auto_retry_start: { attempt: 1, maxAttempts: 3, delayMs: 2000, errorMessage: "529 overloaded" },
  auto_retry_end: { success: true, attempt: 1 },
  auto_compaction_start: { reason: "threshold" },
  auto_compaction_end: { aborted: false, willRetry: false },
  ext_insert: { extension: "e", text: "x" },
  ext_panel: { extension: "e", panel_id: "p", title: "t", lines: ["x"] },
  ext_panel_close: { extension: "e", panel_id: "p" },
  extension_error: { extensionPath: "/e", event: "load", error: "x" },
  commands_changed: {},
};

const cases = Object.entries(events).map(([type, fields]) => ({ type, fields }));

describe("events", () => {
  it.each(cases)("[P3] $type", ({ type, fields }) => {
    const frame = { type, ...fields };
    expect(readFrameValue(frame)).toEqual({ kind: "frame", frame });
  });

  it.each(cases)("[P5] $type keeps fields nobody knows", ({ type, fields }) => {
    const frame = { type, ...fields, zzz_new: { deep: [1, null, "x"] } };
    expect(readFrame(JSON.stringify(frame))).toEqual({ kind: "frame", frame });
  });

  const broken = cases.flatMap(({ type, fields }) =>
    Object.keys(fields).map((field) => ({ type, field, fields })),
  );

  it.each(broken)("[P7] $type without $field, or with something else in it", ({ type, field, fields }) => {
    const without = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== field));
    const problem = expect.stringContaining(`${type}: ${field}`);
    expect(readFrameValue({ type, ...without })).toEqual({ kind: "malformed", type, problem });
    if (field === "args") return; // whatever the model wrote
    for (const wrong of [null, { an: "object" }]) {
      expect(readFrameValue({ type, ...fields, [field]: wrong })).toMatchObject({ kind: "malformed" });
    }
  });

  it.each(["end", "end_turn", "tool_use", "length", "error", "aborted"])("[P4] stop may be %s", (stop) => {
    expect(StopReason.safeParse(stop).success).toBe(true);
    expect(readFrameValue({ type: "turn_end", stop })).toMatchObject({ kind: "frame" });
  });

  it.each(["END", "stop", "", 1])("[P4] stop may not be %j", (stop) => {
    expect(readFrameValue({ type: "turn_end", stop })).toMatchObject({ kind: "malformed" });
  });

  it.each([
    '{"cache_read":512,"cache_write":0,"cost_usd":0.0042,"cumulative":{"cache_read":512,"cache_write":2048,"cost_usd":0.0161,"input":930,"output":210},"input":310,"output":77,"type":"usage"}',
    '{"error":"openai: http 401: bad key","stop":"error","type":"turn_end"}',
    '{"type":"done"}',
    '{"type":"compact_done","summary":"<text>"}',
    '{"args":null,"id":"toolu_xyz","name":"read","type":"tool_call"}',
  ])("[P3] quoted: %s", (line) => {
    expect(readFrame(line)).toEqual({ kind: "frame", frame: JSON.parse(line) });
  });

  it.each([-1, Number.NaN, "5"])("[P7] usage of %j tokens is malformed", (input) => {
    expect(readFrameValue({ type: "usage", ...events.usage, input })).toMatchObject({ kind: "malformed" });
  });

  it.each(["colibri-401", "colibri-tool-call", "zot-grammar"] as const)(
    "[P3] every line of %s is a frame or a response, unchanged",
    (name) => {
      for (const line of fixtureLines(name)) {
        const reading = readFrame(line);
        const value =
          reading.kind === "frame" ? reading.frame : reading.kind === "response" && reading.response;
        expect(value).toEqual(JSON.parse(line));
      }
    },
  );
});
