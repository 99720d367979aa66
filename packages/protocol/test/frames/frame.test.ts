// Reading frames that strangers wrote: unknown is kept, malformed is data, nothing throws.

import { ContentBlock, explain, readFrame, readFrameValue } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";

describe("reading a frame", () => {
  it.each([
    '{"type":"ext_from_tomorrow","extension":"guard"}',
    '{"type":"a_type_of_2030","deep":{"list":[1,null,"x"]}}',
    '{"type":"","x":1}',
    '{"type":"constructor"}',
    '{"type":"__proto__"}',
  ])("[P6] unknown: %s", (line) => {
    const value = JSON.parse(line);
    expect(readFrame(line)).toEqual({ kind: "unknown", type: value.type, value });
  });

  it.each([
    ["", "not JSON: "],
    ["not json", "not JSON: not json"],
    ['{"type":"done"', 'not JSON: {"type":"done"'],
    ['{"type":"done"}{"type":"done"}', 'not JSON: {"type":"done"}{"type":"done"}'],
    ["[]", "not a JSON object"],
    ["null", "not a JSON object"],
    ["5", "not a JSON object"],
    ['"text_delta"', "not a JSON object"],
    ["{}", "no string in its type field"],
    ['{"type":5}', "no string in its type field"],
    ['{"type":null}', "no string in its type field"],
  ])("[P7] malformed: %s", (line, problem) => {
    expect(readFrame(line)).toEqual({ kind: "malformed", problem });
  });

  it.each([
    ["text_delta", {}, "text_delta: delta: expected string"],
    [
      "usage",
      { input: 1, output: 1, cache_read: 0, cache_write: 0, cumulative: {} },
      "usage: cost_usd: expected number",
    ],
    ["response", { command: "ping" }, "response: success: expected boolean"],
  ])("[P7] malformed, but of a type we know: %s", (type, fields, problem) => {
    expect(readFrameValue({ type, ...fields })).toEqual({ kind: "malformed", type, problem });
  });

  it("[P7] quotes only the start of a long line", () => {
    const reading = readFrame("x".repeat(1_000_000));
    expect(reading.kind === "malformed" && reading.problem.length).toBeLessThan(200);
  });

  it("[P7] any text can be read", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.json()), (line) => {
        expect(["frame", "response", "unknown", "malformed"]).toContain(readFrame(line).kind);
      }),
      { numRuns: 300 },
    );
  });

  it("[P7] any value can be read, also under the name of a type we know", () => {
    const known = fc.constantFrom("user_message", "usage", "tool_result", "turn_end", "worker", "response");
    const frame = fc
      .tuple(
        known,
        fc.dictionary(fc.constantFrom("content", "id", "stop", "time", "event", "step"), fc.jsonValue()),
      )
      .map(([type, fields]) => ({ ...fields, type }));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), frame), (value) => {
        const reading = readFrameValue(value);
        if (reading.kind === "frame")
          expect({ ...reading.frame, content: null }).toEqual({ ...Object(value), content: null });
        if (reading.kind === "unknown") expect(reading.value).toEqual(value);
        if (reading.kind === "malformed") expect(reading.problem).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });

  it("[P6] any object of another type is unknown and unchanged", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (fields, suffix) => {
        const value = { ...fields, type: `new_${suffix}` };
        expect(readFrame(JSON.stringify(value))).toEqual({
          kind: "unknown",
          type: value.type,
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
    );
  });

  it("[P7] the problem names the place", () => {
    const read = ContentBlock.safeParse({ type: "tool_result", call_id: "a", is_error: 0, content: [] });
    expect(read.error && explain(read.error)).toBe("is_error: expected boolean");
    const said = (schema: z.ZodMiniType, value: unknown) => {
      const { error } = schema.safeParse(value);
      return error && explain(error);
    };
    expect(said(z.enum(["day", "model"]), "nonsense")).toBe("expected day or model");
    expect(said(z.object({ limit: z.number().check(z.minimum(1)) }), { limit: 0 })).toBe(
      "limit: expected at least 1",
    );
    expect(said(z.string().check(z.maxLength(2)), "long")).toBe("expected at most 2");
  });
});
