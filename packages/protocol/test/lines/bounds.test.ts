// What lines from outside may be: depth, number of values, sizes of names, figures of a call, times.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  emptyTranscript,
  foldTranscript,
  readFrame,
  readJson,
  readTime,
  ViewerCommand,
} from "../../src/index.ts";

const bounds = { depth: 5, values: 10 };
const nested = (depth: number, inside = ""): string => `${"[".repeat(depth)}${inside}${"]".repeat(depth)}`;

describe("bounds of a line", () => {
  it("[P70] a value at the bound is read, and one level or one value more is refused before it is parsed", () => {
    expect(readJson(nested(5), bounds)).toEqual({ ok: true, value: [[[[[]]]]] });
    expect(readJson(nested(6), bounds)).toMatchObject({ ok: false, isJson: true });
    const list = (count: number) => `[${Array.from({ length: count }, (_, index) => index).join(",")}]`;
    expect(readJson(list(10), bounds).ok).toBe(true);
    expect(readJson(list(11), bounds)).toMatchObject({ ok: false, isJson: true });
    expect(readJson("[1,", bounds)).toMatchObject({ ok: false, isJson: false });
  });

  it("[P70] brackets, commas and quotes within texts count for nothing, however they are escaped", () => {
    const text = fc.string({
      unit: fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", "é", "\u2028", " ", "a"),
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const line = JSON.stringify({ texts });
        expect(readJson(line, bounds)).toEqual({ ok: true, value: { texts } });
      }),
      { numRuns: 2_000 },
    );
    const quotes = '"'.repeat(50_000);
    expect(readJson(JSON.stringify([quotes, "\\".repeat(9_999), quotes]), bounds).ok).toBe(true);
  });

  it("[P70] a frame of 20,000 levels is malformed without a type, so that no log keeps it, and readable ones are kept", () => {
    const deep = `{"type":"tool_call","id":"a","name":"b","args":${nested(20_000)}}`;
    const reading = readFrame(deep);
    expect(reading).toMatchObject({ kind: "malformed" });
    expect(reading).not.toHaveProperty("type");
    expect(readFrame(`{"type":"tool_call","id":"a","name":"b","args":${nested(100)}}`).kind).toBe("frame");
  });

  it("[P70] a hundred thousand blocks that cannot be read are refused, and do not overflow the stack", () => {
    const blocks = Array.from({ length: 100_000 }, () => '{"type":"text"}').join(",");
    for (const line of [
      `{"type":"assistant_message","time":"t","content":[${blocks}]}`,
      `{"type":"messages_loaded","messages":[${blocks}]}`,
      `{"type":"ext_panel","extension":"a","panel_id":"b","title":"c","lines":[${blocks}]}`,
    ])
      expect(readFrame(line).kind).toBe("malformed");
    const fewer = Array.from({ length: 49_000 }, () => "{}").join(",");
    expect(readFrame(`{"type":"messages_loaded","messages":[${fewer}]}`).kind).toBe("malformed");
  });

  it("[P70] arguments that were streamed 20,000 levels deep become none, and the transcript can be written", () => {
    const frames = [
      '{"type":"turn_start","step":1}',
      '{"type":"tool_use_start","id":"a","name":"b"}',
      JSON.stringify({ type: "tool_use_args", id: "a", delta: nested(20_000) }),
      '{"type":"turn_end","stop":"aborted"}',
    ];
    const transcript = frames.reduce((before, line) => {
      const reading = readFrame(line);
      return reading.kind === "frame" ? foldTranscript(before, reading.frame) : before;
    }, emptyTranscript);
    expect(JSON.stringify(transcript)).toContain('"args":null');
  });
});

describe("impossible figures", () => {
  const usage = { type: "usage", input: 10, output: 5, cache_read: 1, cache_write: 2, cost_usd: 0.5 };

  it.each([
    { input: Number.MAX_SAFE_INTEGER },
    { output: 1e308 },
    { cache_read: 2e9 },
    { cache_write: Number.POSITIVE_INFINITY },
    { cost_usd: 9e9 },
    { thinking: 1e300 },
    { reasoning: 1e300 },
  ])("[P71] %j is a call of which nothing is known", (figure) => {
    const line = JSON.stringify({ ...usage, ...figure }).replace("null", "1e999");
    const reading = readFrame(line);
    expect(reading).toMatchObject({
      kind: "frame",
      frame: { type: "usage", input: 0, output: 0, cost_usd: 0, unpriced: 1, incomplete: true },
    });
  });

  it("[P71] the largest call there is today is read as it is", () => {
    const frame = { ...usage, input: 10_000_000, output: 1_000_000, cost_usd: 2_000 };
    expect(readFrame(JSON.stringify(frame))).toEqual({ kind: "frame", frame });
  });
});

describe("names, ids and times", () => {
  const long = "x".repeat(1_000_001);

  it.each([
    { type: "settings", model: long },
    { type: "settings", always_allowed: Array.from({ length: 501 }, () => "a") },
    { type: "tool_call", id: long, name: "a", args: {} },
    { type: "extension_ui_request", id: long, method: "select" },
    { type: "usage", input: 1, output: 1, cache_read: 0, cache_write: 0, cost_usd: 0, model: long },
  ])("[P72] a name of a million letters is no name: $type", (frame) => {
    expect(readFrame(JSON.stringify(frame))).toMatchObject({ kind: "malformed", type: frame.type });
  });

  it("[P72] the id of a command has at most 200 characters", () => {
    expect(ViewerCommand.safeParse({ type: "ping", id: "a".repeat(200) }).success).toBe(true);
    expect(ViewerCommand.safeParse({ type: "ping", id: "a".repeat(201) }).success).toBe(false);
  });

  it("[P72] a time is one in which an agent could have worked", () => {
    expect(readTime("2026-11-17T10:00:00Z")).toBe(Date.UTC(2026, 10, 17, 10));
    for (const text of ["", "soon", "1969-12-31", "+275760-09-13T00:00:00Z", "2200-01-01"])
      expect(readTime(text)).toBeNull();
  });
});
