// Sniffing a frame's type from its ends: it may decline, it may never be wrong.
import { deltaTypes, sniffDelta } from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixtureLines } from "../fixture.ts";

function sniff(line: string) {
  const padding = '{"type":"text_delta","delta":"'; // a neighbour in the same buffer must not matter
  const before = new TextEncoder().encode(padding);
  const bytes = new TextEncoder().encode(`${padding}${line},"type":"text_delta"}`);
  return sniffDelta(bytes, before.length, before.length + new TextEncoder().encode(line).length);
}

const isDelta = (type: unknown): boolean => deltaTypes.some((known) => known === type);

describe("sniffing a delta", () => {
  it.each(deltaTypes)("[P22] %s, type first and type last", (type) => {
    expect(sniff(JSON.stringify({ type, delta: "x" }))).toBe(type);
    expect(sniff(JSON.stringify({ delta: "x", type }))).toBe(type);
    expect(sniff(JSON.stringify({ delta: "x", id: "a", type }))).toBe(type);
  });

  it("[P22] every delta that zot writes is recognised, and nothing else", () => {
    for (const line of [...fixtureLines("colibri-tool-call"), ...fixtureLines("zot-grammar")]) {
      const { type } = JSON.parse(line);
      expect(sniff(line)).toBe(isDelta(type) ? type : null);
    }
  });

  it.each([
    { type: "error", message: ',"type":"text_delta"}' },
    { type: "error", message: '{"type":"text_delta",' },
    { message: '","type":"text_delta"}', type: "error" },
    { message: '\\","type":"text_delta"}', type: "error" },
    { a: { delta: "x", type: "text_delta" } },
    { type: "error", a: { delta: "x", type: "text_delta" } },
    { a: [{ delta: "x", type: "text_delta" }], type: "error" },
    { type: "text_delta2", delta: "x" },
    { delta: "x", type: "a_text_delta" },
    { delta: "x", Type: "text_delta" },
    { delta: "x", "x,type": "text_delta" },
  ])("[P21] not fooled by %j", (frame) => {
    expect(sniff(JSON.stringify(frame))).toBeNull();
  });

  it.each([
    "",
    "{",
    "}",
    "{}",
    '{"',
    '{"}',
    '{"type":"text_delta"}',
    ' {"type":"text_delta","delta":"x"}',
    "[1]",
  ])("[P20] in doubt the answer is null: %s", (line) => {
    expect(sniff(line)).toBeNull();
  });

  it("[P20] what is sniffed is what JSON.parse reads", () => {
    const fragment = fc.constantFrom(
      ...deltaTypes.flatMap((type) => [`,"type":"${type}"}`, `{"type":"${type}",`, `"type":"${type}"`, type]),
      '"',
      "\\",
      "}",
    );
    const text = fc
      .array(fc.oneof(fragment, fc.string({ unit: "binary" })), { maxLength: 5 })
      .map((all) => all.join(""));
    const value = fc.oneof(
      text,
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(fc.constantFrom("type", "delta"), text),
    );
    const key = fc.oneof(fc.constantFrom("type", "delta", "id", "text", "a"), text);
    const frame = fc.array(fc.tuple(key, fc.oneof(value, fc.constantFrom(...deltaTypes))), { maxLength: 5 });
    fc.assert(
      fc.property(frame, (fields) => {
        const line = JSON.stringify(Object.fromEntries(fields));
        const type = sniff(line);
        if (type !== null) expect(JSON.parse(line).type).toBe(type);
      }),
      { numRuns: 500 },
    );
  });
});
