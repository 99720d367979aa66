// Commands that are read without their schema must be those that the schema gives.
import { ViewerCommand } from "@patchbay/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readCommand } from "../../src/sockets/read-command.ts";

const odd = fc.constantFrom<unknown>(
  null,
  true,
  0,
  "",
  "x".repeat(200),
  "x".repeat(201),
  [],
  {},
  ["a"],
  "steer",
);
const command = fc.record(
  {
    type: fc.constantFrom(
      "prompt",
      "prompt",
      "prompt",
      "ping",
      "get_state",
      "abort",
      "compact",
      "unheard",
      null,
    ),
    id: fc.oneof(fc.constant("c1"), odd),
    message: fc.oneof(fc.string(), odd),
    images: odd,
    streamingBehavior: odd,
    later: odd,
  },
  { requiredKeys: ["type"] },
);

it("[C4] reads every command as its schema reads it", () => {
  fc.assert(
    fc.property(command, (value) => {
      const schema = ViewerCommand.safeParse(value);
      const reading = readCommand(JSON.stringify(value));
      expect(reading.ok).toBe(schema.success);
      if (reading.ok) expect(reading.command).toEqual(schema.data);
    }),
    { numRuns: 2_000 },
  );
});
