// Compaction that nobody asked for, and how full the context is.
import { contextMessages, emptyTranscript, foldTranscript, readFrame } from "@patchbay/protocol";
import { lastMessages } from "@patchbay/testing/fake-model";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, shape, startRig } from "../rig.ts";

async function windowOf(rig: Rig): Promise<number> {
  return Number(dig(await rig.worker.ask({ type: "get_state" }), "data", "context_window"));
}

const stateOf = async (rig: Rig) => dig(await rig.worker.ask({ type: "get_state" }), "data");

/** What a fresh worker would be given, and what this one holds: they must be the same. */
async function expectSameMemory(rig: Rig): Promise<void> {
  const transcript = rig.worker.lines
    .map(readFrame)
    .reduce(
      (before, reading) => (reading.kind === "frame" ? foldTranscript(before, reading.frame) : before),
      emptyTranscript,
    );
  const untimed = (messages: unknown): unknown =>
    JSON.parse(JSON.stringify(messages, (key, value) => (key === "time" ? "" : value)));
  const own = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
  expect(untimed(contextMessages(transcript))).toEqual(untimed(own));
}

describe("auto-compaction", () => {
  it("[W74] at 85 % of the window: before the next prompt's first call, `auto_compaction_start`, `auto_compaction_end`", async () => {
    await using rig = await startRig();
    const full = Math.ceil((await windowOf(rig)) * 0.85);
    rig.model.reply(
      { text: "one" },
      { text: "two" },
      { text: "three", usage: { input: full - 30, cache_read: 20, cache_write: 4, output: 6 } },
      { text: "## Goal\nherons", usage: { input: 900, output: 40 } },
      { text: "four", usage: { input: 700, output: 7 } },
    );
    for (const prompt of ["first", "second", "third"]) await rig.worker.prompt(prompt);
    expect(await stateOf(rig)).toMatchObject({ context_tokens: full });
    const frames = await rig.worker.prompt("fourth");
    expect(shape(frames)).toEqual(
      `response user_message turn_start auto_compaction_start usage compact_done auto_compaction_end
       assistant_start text_delta usage assistant_message turn_end(end) done`.split(/\s+/),
    );
    expect(only(frames, "auto_compaction_start")).toMatchObject([{ reason: "threshold" }]);
    expect(only(frames, "auto_compaction_end")).toEqual([
      { type: "auto_compaction_end", aborted: false, willRetry: false },
    ]);
    expect(only(frames, "usage")).toMatchObject([{ purpose: "compaction", input: 900 }, { input: 700 }]);
    expect(await stateOf(rig)).toMatchObject({ context_tokens: 707 });
    const body = lastMessages(rig.model);
    expect(body).toContain("herons");
    expect(body).not.toContain("first");
    await expectSameMemory(rig);
  });

  it("[W74] within a turn: after a step whose call filled the window, before the next call", async () => {
    await using rig = await startRig();
    const full = Math.ceil((await windowOf(rig)) * 0.9);
    rig.model.reply({ text: "one" }, { text: "two" });
    for (const prompt of ["first", "second"]) await rig.worker.prompt(prompt);
    rig.model.reply(
      { toolCalls: [{ name: "bash", args: { command: "echo heron" } }], usage: { input: full, output: 1 } },
      { text: "## Goal\nbirds" },
      { text: "done" },
    );
    const frames = await rig.worker.prompt("third");
    expect(shape(frames).slice(-11)).toEqual(
      `tool_result turn_start auto_compaction_start usage compact_done auto_compaction_end
       assistant_start text_delta usage assistant_message turn_end(end) done`
        .split(/\s+/)
        .slice(-11),
    );
    expect(rig.model.requests.at(-1)?.toolResults).toEqual([expect.stringContaining("heron")]);
    await expectSameMemory(rig);
  });

  it.each([
    ["anthropic", 400, { message: "prompt is too long: 213462 tokens > 200000 maximum" }],
    ["anthropic", 413, { type: "request_too_large", message: "Request exceeds the maximum size" }],
    [
      "openai",
      400,
      { message: "Your input exceeds the context window of this model.", code: "context_length_exceeded" },
    ],
    [
      "google",
      400,
      {
        code: 400,
        message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
        status: "INVALID_ARGUMENT",
      },
    ],
    [
      "deepseek",
      400,
      {
        message:
          "This model's maximum context length is 131072 tokens. However, you requested 200000 tokens.",
      },
    ],
  ])(
    "[W75] %s says (%i) that it is too much: compact, and try once more",
    async (provider, status, error) => {
      await using rig = await startRig({ provider });
      for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
      const body = JSON.stringify({ type: "error", error });
      rig.model.reply({ status, body }, { text: "## Goal\nfit" }, { text: "fits" });
      const frames = await rig.worker.prompt("four");
      expect(only(frames, "auto_compaction_start")).toMatchObject([{ reason: "overflow" }]);
      expect(only(frames, "auto_compaction_end")).toMatchObject([{ aborted: false, willRetry: true }]);
      expect(only(frames, "auto_retry_start")).toEqual([]);
      expect(frames.at(-2)).toMatchObject({ stop: "end" });
      await expectSameMemory(rig);
    },
  );

  it("[W75] still too much after the compaction: an error, and no loop", async () => {
    await using rig = await startRig();
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    const body = JSON.stringify({ error: { message: "prompt is too long: 9 tokens > 8 maximum" } });
    const calls = rig.model.requests.length;
    rig.model.reply({ status: 400, body }, { text: "## Goal\nx" }, { status: 400, body });
    const frames = await rig.worker.prompt("four");
    expect(shape(frames).slice(-3)).toEqual(["turn_end(error)", "error", "done"]);
    expect(rig.model.requests.length - calls).toBe(3);
  });

  it("[W75] nothing to compact: said, and the provider's error ends the turn", async () => {
    await using rig = await startRig();
    const body = JSON.stringify({ error: { message: "prompt is too long: 9 tokens > 8 maximum" } });
    rig.model.reply({ status: 400, body });
    const frames = await rig.worker.prompt("huge");
    expect(only(frames, "auto_compaction_end")).toMatchObject([
      { willRetry: false, errorMessage: expect.stringContaining("nothing to compact") },
    ]);
    expect(dig(frames.at(-2), "message")).toContain("prompt is too long");
  });

  it('[W76] `{ id?, type: "set_auto_compaction", enabled: boolean }`: off, a full context is left alone', async () => {
    await using rig = await startRig();
    await rig.worker.ask({ type: "set_auto_compaction", enabled: false });
    expect(await stateOf(rig)).toMatchObject({ autoCompactionEnabled: false });
    const input = await windowOf(rig);
    rig.model.reply({ text: "one" }, { text: "two" }, { text: "three", usage: { input } });
    for (const prompt of ["one", "two", "three", "four"]) await rig.worker.prompt(prompt);
    expect(only(rig.worker.frames, "auto_compaction_start")).toEqual([]);
  });

  it("[W76] one that fails is told, and the turn goes on; an abort ends both", async () => {
    await using rig = await startRig();
    const input = await windowOf(rig);
    rig.model.reply({ text: "one" }, { text: "two" }, { text: "three", usage: { input } });
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    rig.model.reply({ status: 400 }, { text: "four", usage: { input } });
    const frames = await rig.worker.prompt("four");
    expect(only(frames, "auto_compaction_end")).toMatchObject([
      { aborted: false, willRetry: false, errorMessage: expect.stringContaining("http 400") },
    ]);
    expect(frames.at(-2)).toMatchObject({ stop: "end" });
    rig.model.reply({ hangBefore: "headers" });
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "prompt", message: "five" });
    await rig.worker.next("auto_compaction_start");
    await rig.worker.ask({ type: "abort" });
    const aborted = await rig.worker.turn(from);
    expect(only(aborted, "auto_compaction_end")).toMatchObject([{ aborted: true, willRetry: false }]);
    expect(shape(aborted).slice(-2)).toEqual(["turn_end(aborted)", "done"]);
  });

  it("[W77] the meter is forgotten by clear, restore and compaction", async () => {
    await using rig = await startRig();
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    expect(await stateOf(rig)).toHaveProperty("context_tokens");
    rig.model.reply({ text: "## Goal\nx" });
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "compact", customInstructions: "mind the herons" });
    await rig.worker.turn(from);
    expect(rig.model.requests.at(-1)?.userText).toContain("mind the herons");
    expect(await stateOf(rig)).not.toHaveProperty("context_tokens");
    await rig.worker.prompt("four");
    expect(await stateOf(rig)).toHaveProperty("context_tokens");
    await rig.worker.ask({ type: "clear" });
    expect(await stateOf(rig)).not.toHaveProperty("context_tokens");
  });

  it("[W77] a tail that fills half the window goes into the summary too, except a prompt without an answer", async () => {
    await using rig = await startRig({ args: ["--model", "demo/offline-demo"] });
    const long = "heron ".repeat(12_000);
    const message = (role: string, text: string) => ({ role, content: [{ type: "text", text }], time: "" });
    await rig.worker.ask({
      type: "restore",
      messages: [
        message("user", "a"),
        message("assistant", "b"),
        message("user", "c"),
        message("assistant", long),
      ],
    });
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "compact" });
    expect(only(await rig.worker.turn(from), "compact_done")).toMatchObject([{ kept: 0 }]);
    await expect(stateOf(rig)).resolves.toMatchObject({ message_count: 1 });
  });
});
