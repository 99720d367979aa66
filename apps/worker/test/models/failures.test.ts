// Every way a model call can fail: what is said and what is kept. What is tried again is in retry.test.ts.
import { describe, expect, it } from "vitest";
import { dig, only, secret, shape, startRig } from "../rig.ts";

describe("failing model calls", () => {
  it.each([
    [400, /^anthropic: http 400: .+/],
    [401, /^anthropic: http 401: .+/],
    [403, /^anthropic: http 403: .+/],
  ])(
    "[W20] status %i: turn_end{error}, error, done; no usage; the next prompt works",
    async (status, words) => {
      await using rig = await startRig();
      rig.model.reply({ status }, { text: "better" });
      const frames = await rig.worker.prompt("hi");
      expect(shape(frames)).toEqual([
        "response",
        "user_message",
        "turn_start",
        "turn_end(error)",
        "error",
        "done",
      ]);
      expect(frames[4]).toMatchObject({ message: expect.stringMatching(words) });
      expect(frames[3]).toMatchObject({ error: dig(frames[4], "message") });
      expect(rig.model.requests).toHaveLength(1);
      expect(shape(await rig.worker.prompt("again"))).toContain("turn_end(end)");
    },
  );

  it("[W20] a key that the provider repeats in its error is not repeated by us", async () => {
    await using rig = await startRig();
    rig.model.reply({ status: 401, body: JSON.stringify({ error: { message: `wrong key ${secret}` } }) });
    const frames = await rig.worker.prompt("hi");
    expect(JSON.stringify(frames)).not.toContain(secret);
    expect(dig(frames, 4, "message")).toBe("anthropic: http 401: wrong key ***");
  });

  it.each([
    ["cut", { cutAfterChunks: 2 }],
    ["malformed", { malformed: true }],
    ["overloaded midway", { errorAfterChunks: 2 }],
  ])(
    "[W22] a stream that is %s and not tried again: partial answer and usage kept, turn_end{error}, error, done",
    async (_name, how) => {
      await using rig = await startRig();
      await rig.worker.ask({ type: "set_auto_retry", enabled: false });
      rig.model.reply({ text: ["one ", "two ", "three"], usage: { input: 1000, output: 9 }, ...how });
      const frames = await rig.worker.prompt("hi");
      expect(shape(frames).slice(-5)).toEqual([
        "usage",
        "assistant_message",
        "turn_end(error)",
        "error",
        "done",
      ]);
      expect(only(frames, "usage")[0]).toMatchObject({ input: 1000 });
      expect(dig(only(frames, "assistant_message")[0], "content", 0, "text")).toMatch(/^one two /);
      expect(dig(frames.at(-2), "message")).toMatch(/^anthropic: .+/);
      expect(rig.model.requests).toHaveLength(1);
    },
  );
});
