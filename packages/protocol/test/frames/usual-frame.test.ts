// The frames that are recognized without their schemas: what is read must be what the schema gives, for any value.
import { readFrameValue, WorkerEvent } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** Values that a check might take for others. */
const odd = fc.constantFrom<unknown>(
  ...[
    null,
    undefined,
    true,
    false,
    0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "",
    "end",
    "x".repeat(1_000),
  ],
  ...["x".repeat(1_001), [], {}, [null], ["text"], { type: "text" }, [[]], { 0: { type: "text", text: "" } }],
);
const mostly = (value: unknown) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: odd });
/** An object with some of these fields, one of them odd now and then, and now and then a field that no schema names. */
const withFields = (type: string, fields: Record<string, unknown>) =>
  fc
    .tuple(
      fc.record(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, mostly(value)])), {
        requiredKeys: [],
      }),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        fc.constantFrom({ later: 1 }, { __proto__: null, constructor: 2 }),
      ),
      fc.boolean(),
    )
    .map(([given, more, typeLast]) => (typeLast ? { ...given, ...more, type } : { type, ...given, ...more }));

const block = fc.oneof(
  withFields("text", { text: "words", mention: "src/a.ts" }),
  withFields("thinking", { text: "hm", signature: "s", duration_ms: 12 }),
  withFields("tool_call", { id: "c1", name: "bash", args: { command: "ls" } }),
  withFields("image", { mime_type: "image/png", bytes: 3 }),
  withFields("from_tomorrow", { text: "words" }),
  odd,
);
const content = fc.array(block, { maxLength: 3 });

const frame = content.chain((blocks) =>
  fc.oneof(
    withFields("user_message", {
      content: blocks,
      time: "2026-04-19T11:30:00Z",
      steering: true,
      key: "k",
      entry_id: "e",
    }),
    withFields("assistant_message", { content: blocks, time: "2026-04-19T11:30:00Z" }),
    withFields("turn_start", { step: 1 }),
    withFields("assistant_start", {}),
    withFields("turn_end", { stop: "end", error: "broken" }),
    withFields("done", { duration_ms: 20 }),
  ),
);

describe("a frame of every turn", () => {
  it("[P7] is read as its schema reads it", () => {
    let frames = 0;
    fc.assert(
      fc.property(frame, (value) => {
        const schema = WorkerEvent.safeParse(value);
        const reading = readFrameValue(value);
        expect(reading.kind).toBe(schema.success ? "frame" : "malformed");
        if (reading.kind !== "frame") return;
        frames++;
        expect(reading.frame).toEqual(schema.data);
        expect(Object.keys(reading.frame).toSorted()).toEqual(Object.keys(schema.data ?? {}).toSorted());
      }),
      { numRuns: 3_000 },
    );
    expect(frames).toBeGreaterThan(500);
  });

  it("[P7] with a field named __proto__ is left to its schema", () => {
    const reading = readFrameValue(JSON.parse('{"type":"done","__proto__":{"polluted":true}}'));
    expect(reading.kind).toBe("frame");
    expect(reading).not.toHaveProperty("frame.polluted");
  });
});
