// Auto-retry: what is tried again, how long it waits, what is seen of it, and how it is stopped.
import { emptyTranscript, foldTranscript, readFrame, type Transcript } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, shape, startRig } from "../rig.ts";

const slow = { PATCHBAY_RETRY_DELAY_MS: "50000" };

const foldOf = (rig: Rig): Transcript =>
  rig.worker.lines
    .map(readFrame)
    .reduce(
      (transcript, reading) =>
        reading.kind === "frame" ? foldTranscript(transcript, reading.frame) : transcript,
      emptyTranscript,
    );

describe("auto-retry", () => {
  it.each([408, 429, 500, 502, 503, 504, 529])(
    "[W69] status %i: `auto_retry_start`, `auto_retry_end`, and the turn goes on",
    async (status) => {
      await using rig = await startRig();
      rig.model.reply({ status }, { status }, { text: "third time lucky" });
      const frames = await rig.worker.prompt("hi");
      expect(shape(frames)).toEqual(
        `response user_message turn_start auto_retry_start auto_retry_start assistant_start text_delta usage
         auto_retry_end assistant_message turn_end(end) done`.split(/\s+/),
      );
      expect(only(frames, "auto_retry_start")).toMatchObject([
        { attempt: 1, maxAttempts: 5, delayMs: expect.any(Number), time: expect.any(String) },
        { attempt: 2, errorMessage: expect.stringContaining(`http ${status}`) },
      ]);
      expect(only(frames, "auto_retry_end")).toMatchObject([{ success: true, attempt: 2 }]);
    },
  );

  it.each([
    ["cut", { cutAfterChunks: 3 }],
    ["cut after half a tool call", { cutAfterChunks: 6 }],
    ["malformed", { malformed: true }],
    ["overloaded midway", { errorAfterChunks: 3 }],
  ])("[W70] a stream that is %s is taken back and tried again; every call is counted", async (_name, how) => {
    await using rig = await startRig();
    const toolCalls = [{ name: "bash", args: { command: "touch ran-once" }, chunks: 6 }];
    rig.model.reply(
      { text: ["half ", "an ", "answer"], toolCalls, usage: { input: 1000, output: 9 }, ...how },
      { text: "whole", usage: { input: 1000, output: 5 } },
    );
    const frames = await rig.worker.prompt("hi");
    expect(frames.at(-2)).toMatchObject({ type: "turn_end", stop: "end" });
    expect(only(frames, "usage")).toHaveLength(2);
    expect(only(frames, "tool_result")).toEqual([]);
    const { messages, marks, usage } = foldOf(rig);
    expect(messages.map(({ content }) => content)).toMatchObject([
      [{ text: "hi" }],
      [{ type: "text", text: "whole" }],
    ]);
    expect(marks.map(({ kind }) => kind)).toEqual(["retry", "turn"]);
    expect(usage.input).toBe(2000);
    expect(rig.model.requests[1]?.body).toEqual(rig.model.requests[0]?.body);
  });

  it("[W71] `retry-after` is honoured, in seconds and as a date; one that asks too much is an error at once", async () => {
    await using rig = await startRig();
    rig.model.reply(
      { status: 429, headers: { "retry-after": "0" } },
      { status: 429, headers: { "retry-after-ms": "7" } },
      { status: 503, headers: { "retry-after": new Date(Date.now() - 1000).toUTCString() } },
      { text: "ok" },
      { status: 429, headers: { "retry-after": "3600" } },
    );
    const waits = only(await rig.worker.prompt("hi"), "auto_retry_start").map((frame) => frame["delayMs"]);
    expect(waits).toEqual([0, 7, 0]);
    const frames = await rig.worker.prompt("again");
    expect(shape(frames).slice(-3)).toEqual(["turn_end(error)", "error", "done"]);
    expect(only(frames, "auto_retry_start")).toEqual([]);
  });

  it("[W71] pauses grow exponentially, with jitter, and end after five attempts", async () => {
    await using rig = await startRig({ env: { PATCHBAY_RETRY_DELAY_MS: "16" } });
    rig.model.reply(...Array.from({ length: 6 }, () => ({ status: 503 })));
    const frames = await rig.worker.prompt("hi");
    for (const [index, frame] of only(frames, "auto_retry_start").entries()) {
      const middle = 16 * 2 ** index;
      expect(frame["delayMs"]).toBeGreaterThanOrEqual(Math.floor(middle * 0.75));
      expect(frame["delayMs"]).toBeLessThanOrEqual(Math.ceil(middle * 1.25));
    }
    expect(only(frames, "auto_retry_end")).toMatchObject([
      { success: false, attempt: 5, finalError: expect.stringContaining("http 503") },
    ]);
    expect(shape(frames).slice(-3)).toEqual(["turn_end(error)", "error", "done"]);
    expect(rig.model.requests).toHaveLength(6);
  });

  it.each([400, 401, 403, 404])("[W72] status %i is not tried again", async (status) => {
    await using rig = await startRig();
    rig.model.reply({ status }, { text: "next" });
    expect(only(await rig.worker.prompt("hi"), "auto_retry_start")).toEqual([]);
    expect(rig.model.requests).toHaveLength(1);
    expect(shape(await rig.worker.prompt("again"))).toContain("turn_end(end)");
  });

  it("[W72] an account without money is not asked again, although it says 429", async () => {
    await using rig = await startRig({ provider: "openai" });
    const error = { message: "You exceeded your current quota", code: "insufficient_quota" };
    rig.model.reply({ status: 429, body: JSON.stringify({ error }) });
    const frames = await rig.worker.prompt("hi");
    expect(only(frames, "auto_retry_start")).toEqual([]);
    expect(dig(frames.at(-2), "message")).toContain("You exceeded your current quota");
  });

  it('[W73] `{ id?, type: "abort_retry" }` ends the wait: the turn ends with the error', async () => {
    await using rig = await startRig({ env: slow });
    rig.model.reply({ status: 503 }, { text: "next" });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("auto_retry_start");
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { isRetrying: true } });
    expect(await rig.worker.ask({ type: "abort_retry" })).toMatchObject({ success: true });
    const frames = await rig.worker.turn(0);
    expect(shape(frames).slice(-4)).toEqual(["auto_retry_end", "turn_end(error)", "error", "done"]);
    expect(rig.model.requests).toHaveLength(1);
    expect(await rig.worker.ask({ type: "abort_retry" })).toMatchObject({ success: true });
    expect(shape(await rig.worker.prompt("again"))).toContain("turn_end(end)");
  });

  it("[W73] an abort ends the wait and the turn", async () => {
    await using rig = await startRig({ env: slow });
    rig.model.reply({ text: ["half"], cutAfterChunks: 1 });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("auto_retry_start");
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn(0);
    expect(shape(frames).slice(-3)).toEqual(["auto_retry_end", "turn_end(aborted)", "done"]);
    expect(only(frames, "assistant_message")).toEqual([]);
    expect(only(frames, "auto_retry_end")).toMatchObject([{ success: false, finalError: "aborted" }]);
  });

  it('[W73] `{ id?, type: "set_auto_retry", enabled: boolean }`: off, nothing is tried again, nor waited for', async () => {
    await using rig = await startRig({ env: slow });
    rig.model.reply({ status: 503 }, { status: 503 });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("auto_retry_start");
    await rig.worker.ask({ type: "set_auto_retry", enabled: false });
    expect(shape(await rig.worker.turn(0)).slice(-3)).toEqual(["turn_end(error)", "error", "done"]);
    const frames = await rig.worker.prompt("again");
    expect(shape(frames)).toEqual("response user_message turn_start turn_end(error) error done".split(" "));
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { autoRetryEnabled: false } });
  });

  it("[W69] a server that is not there: said in words after the retries", async () => {
    await using rig = await startRig({ env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } });
    const frames = await rig.worker.prompt("hi");
    expect(only(frames, "auto_retry_start")).toHaveLength(5);
    expect(frames.at(-2)).toMatchObject({ type: "error", message: "anthropic: cannot be reached" });
  });

  it.each(["openai", "google", "deepseek", "openai-compatible"])(
    "[W70] %s: an answer that was cut, unreadable or refused for now comes whole in the end",
    async (provider) => {
      await using rig = await startRig({ provider, args: ["--provider", provider] });
      rig.model.reply(
        { status: 429, headers: { "retry-after": "0" } },
        { text: ["a ", "b "], cutAfterChunks: 1 },
        { text: ["a ", "b "], malformed: true },
        { text: ["a ", "b "], errorAfterChunks: 1 },
        { text: "whole" },
      );
      const frames = await rig.worker.prompt("hi");
      expect(only(frames, "auto_retry_end")).toMatchObject([{ success: true }]);
      expect(dig(foldOf(rig).messages, 1, "content")).toMatchObject([{ type: "text", text: "whole" }]);
    },
  );
});
