// Large values as JSON in pieces: the same text as JSON.stringify, with pauses in between.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { jsonLine } from "../../../src/session/viewers/json-pieces.ts";

const textOf = async (value: object): Promise<string> => Buffer.concat(await jsonLine(value)).toString();

it("[A22] any transcript is written as JSON.stringify would write it", async () => {
  const message = fc.record({
    role: fc.constant("user"),
    content: fc.array(fc.record({ text: fc.string() })),
  });
  const branch = fc.record({ id: fc.string(), shares: fc.constant(null), messages: fc.array(message) });
  const transcript = fc.record(
    {
      type: fc.constant("snapshot"),
      messages: fc.array(message, { maxLength: 40 }),
      branches: fc.array(branch, { maxLength: 4 }),
      partial: fc.option(fc.record({ content: fc.array(fc.string()), deep: fc.object({ maxDepth: 4 }) })),
      absent: fc.constant(undefined),
      usage: fc.record({ input: fc.nat(), cost_usd: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    },
    { requiredKeys: ["type"] },
  );
  await fc.assert(
    fc.asyncProperty(transcript, async (value) => {
      expect(await textOf(value)).toBe(`${JSON.stringify(value)}\n`);
    }),
    { numRuns: 500 },
  );
});

it("[A22] a long transcript comes in many pieces, between which others are served", async () => {
  const text = "x".repeat(10_000);
  const messages = Array.from({ length: 5_000 }, () => ({ role: "user", content: [{ type: "text", text }] }));
  let served = 0;
  let isDone = false;
  const serve = (): void => {
    served++;
    if (!isDone) setImmediate(serve);
  };
  setImmediate(serve);
  const value = { type: "snapshot", messages, branches: [{ id: "main", messages }] };
  const pieces = await jsonLine(value);
  isDone = true;
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(2_000_000);
  expect(served).toBeGreaterThan(100);
  expect(Buffer.concat(pieces).toString()).toBe(`${JSON.stringify(value)}\n`);
});
