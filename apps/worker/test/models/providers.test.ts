// Each provider through its real wire format: a streamed answer with a tool call, its cost to the
// nano-dollar, and what is sent back to it afterwards.
import type { UsageEvent } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { dig, environments, only, secret, shape, startRig } from "../rig.ts";

/** Dollars per million tokens of the models used below, as their providers publish them. */
const cases = [
  {
    provider: "anthropic",
    model: "claude-haiku-4-5",
    prices: { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25 },
  },
  { provider: "openai", model: "gpt-4.1", prices: { input: 2, output: 8, cache_read: 0.5, cache_write: 0 } },
  {
    provider: "google",
    model: "gemini-2.5-flash",
    prices: { input: 0.3, output: 2.5, cache_read: 0.03, cache_write: 0 },
  },
  {
    provider: "deepseek",
    model: "deepseek-flash",
    prices: { input: 0.3, output: 1.2, cache_read: 0.006, cache_write: 0 },
  },
];

describe.each(cases)("$provider", ({ provider, model, prices }) => {
  it("[W29] streams thinking, text and a tool call, and answers the tool's result", async () => {
    await using rig = await startRig({ provider, args: ["--provider", provider, "--reasoning", "low"] });
    rig.model.reply(
      {
        thinking: "let me see",
        text: "On it. 🦩",
        toolCalls: [{ name: "bash", args: { command: "echo fla-mingo" } }],
      },
      { text: "It said fla-mingo." },
    );
    const frames = await rig.worker.prompt("say it");
    expect(shape(frames)).toEqual(
      `response user_message turn_start assistant_start thinking_delta text_delta tool_use_start tool_use_args tool_use_end
       usage assistant_message tool_call turn_end(tool_use) tool_progress tool_result
       turn_start assistant_start text_delta usage assistant_message turn_end(end) done`.split(/\s+/),
    );
    expect(only(frames, "assistant_message")[0]).toMatchObject({
      content: [
        { type: "thinking", text: "let me see" },
        { type: "text", text: "On it. 🦩" },
        { type: "tool_call", name: "bash", args: { command: "echo fla-mingo" } },
      ],
    });
    expect(rig.model.requests.map((call) => call.provider)).toEqual([provider, provider]);
    expect(rig.model.requests[0]?.tools).toEqual(["read", "write", "edit", "bash", "grep", "find", "ls"]);
    expect(rig.model.requests[1]?.toolResults).toEqual([expect.stringContaining("fla-mingo\n\n[exit 0]")]);
  });

  it("[W30] counts each call to the nano-dollar, and cumulatively, as the provider bills", async () => {
    await using rig = await startRig({ provider, args: ["--model", `${provider}/${model}`] });
    const writes = prices.cache_write > 0 ? 333 : 0;
    const usages = [
      { input: 12_345, output: 678, cache_read: 9_000, cache_write: writes },
      { input: 11, output: 7, cache_read: 0, cache_write: 0 },
    ];
    rig.model.reply(...usages.map((usage) => ({ text: "counted", usage })));
    const frames = [...(await rig.worker.prompt("one")), ...(await rig.worker.prompt("two"))];
    const nanos = usages.map((usage) =>
      Math.round(
        (usage.input * prices.input +
          usage.output * prices.output +
          usage.cache_read * prices.cache_read +
          usage.cache_write * prices.cache_write) *
          1_000,
      ),
    );
    const seen = only(frames, "usage");
    expect(seen).toHaveLength(2);
    for (const [index, usage] of usages.entries()) {
      expect(seen[index]).toMatchObject({ ...usage, cost_usd: (nanos[index] ?? 0) / 1e9 });
      expect(seen[index]).not.toHaveProperty("unpriced");
    }
    const { input, output, cache_read, cache_write } = rig.model.billed();
    const total = {
      input,
      output,
      cache_read,
      cache_write,
      cost_usd: ((nanos[0] ?? 0) + (nanos[1] ?? 0)) / 1e9,
    };
    expect(seen[1]).toMatchObject({ cumulative: total });
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { usage: total } });
  });

  it("[W20] says a refused key and a cut stream in words", async () => {
    await using rig = await startRig({ provider });
    await rig.worker.ask({ type: "set_auto_retry", enabled: false });
    rig.model.reply({ status: 401 }, { text: ["a ", "b ", "c"], cutAfterChunks: 2 });
    expect((await rig.worker.prompt("hi")).at(-2)).toMatchObject({
      type: "error",
      message: expect.stringMatching(new RegExp(`^${provider}: http 401: .+`)),
    });
    const cut = await rig.worker.prompt("hi");
    expect(shape(cut).slice(-3)).toEqual(["turn_end(error)", "error", "done"]);
    expect(dig(only(cut, "assistant_message")[0], "content", 0, "text")).toBe("a b ");
    expect(JSON.stringify(rig.worker.frames)).not.toContain(secret);
  });

  it("[W23] is left alone at once when aborted, in the middle of its stream", async () => {
    await using rig = await startRig({ provider });
    rig.model.reply({ text: ["a ", "b "], hangAfterChunks: 1 });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("text_delta");
    await rig.worker.ask({ type: "abort" });
    expect(shape(await rig.worker.turn(0)).slice(-3)).toEqual([
      "assistant_message",
      "turn_end(aborted)",
      "done",
    ]);
    await rig.model.untilAborted(1);
  });
});

describe("a server of one's own", () => {
  it("[W31] streams and calls tools; its calls are unpriced; no limit it may refuse is sent", async () => {
    await using rig = await startRig({ provider: "openai-compatible" });
    rig.model.reply(
      {
        thinking: "hm",
        text: "Yes.",
        toolCalls: [{ name: "bash", args: { command: "echo local" } }],
        usage: { input: 5, output: 6 },
      },
      { text: "Done.", usage: { input: 7, output: 8 } },
    );
    const frames = await rig.worker.prompt("go");
    expect(shape(frames)).toContain("tool_result");
    expect(only(frames, "usage")).toMatchObject([
      { input: 5, output: 6, cost_usd: 0, unpriced: 1 },
      {
        input: 7,
        output: 8,
        cost_usd: 0,
        unpriced: 1,
        cumulative: { input: 12, output: 14, cost_usd: 0, unpriced: 2 },
      },
    ]);
    const body = rig.model.requests[0]?.body;
    expect(body).not.toHaveProperty("max_tokens");
    expect(dig(body, "messages", 0, "role")).toBe("system");
  });

  it("[W31] works with ollama's address too", async () => {
    await using rig = await startRig({ provider: "none" });
    await using ollama = await startRig({
      provider: "none",
      env: { OLLAMA_HOST: `${rig.model.baseUrl}/ollama` },
    });
    rig.model.reply({ text: "moo" });
    expect(shape(await ollama.worker.prompt("hi"))).toContain("turn_end(end)");
    expect(rig.model.requests[0]?.provider).toBe("ollama");
  });
});

describe("a call whose tokens nobody told", () => {
  it("[U51] is an estimate with bounds: DeepSeek reports usage only at the end, and the stream was aborted", async () => {
    await using rig = await startRig({ provider: "deepseek" });
    rig.model.reply({ text: ["a ".repeat(200), "b "], hangAfterChunks: 1 });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("text_delta");
    await rig.worker.ask({ type: "abort" });
    const [usage] = only(await rig.worker.turn(0), "usage");
    expect(usage).toMatchObject({
      ...{ output: 100, ended: "cut", estimated: 1, cache_read: 0, cache_write: 0 },
      cumulative: { estimated: 1 },
      bounds: { low: { input: 0, output: 33 }, high: { input: 0 } },
    });
    const { input, cost_usd, low_usd, high_usd, bounds } = usage as UsageEvent;
    // The system prompt and the tools, with four bytes a token.
    expect(input).toBeGreaterThan(500);
    expect(bounds?.low.cache_read).toBeLessThan(input);
    expect(bounds?.high.cache_write).toBeGreaterThan(input);
    expect(low_usd).toBeLessThan(cost_usd);
    expect(high_usd).toBeGreaterThan(cost_usd);
  });

  it("[W31] has no price at a server of one's own", async () => {
    await using rig = await startRig({ provider: "openai-compatible" });
    rig.model.reply({ text: ["a ", "b "], hangAfterChunks: 1 });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("text_delta");
    await rig.worker.ask({ type: "abort" });
    expect(only(await rig.worker.turn(0), "usage")).toMatchObject([
      { cost_usd: 0, unpriced: 1, ended: "cut", cumulative: { unpriced: 1 } },
    ]);
  });
});

describe("what is sent back", () => {
  it("[W32] thinking goes back signed to the model that signed it, and unsigned to another", async () => {
    await using rig = await startRig({ env: {}, args: ["--reasoning", "low"] });
    rig.model.reply({
      thinking: "deep",
      text: "a",
      toolCalls: [{ name: "bash", args: { command: "true" } }],
    });
    await rig.worker.prompt("go");
    const own = JSON.stringify(dig(rig.model.requests[1]?.body, "messages"));
    expect(own).toMatch(/"thinking":"deep","signature":"signature-\d+"/);
    await rig.worker.ask({ type: "set_model", model: "claude-haiku-4-5" });
    await rig.worker.prompt("and?");
    expect(JSON.stringify(rig.model.requests[2]?.body)).not.toContain("signature-");
  });

  it("[W32] a transcript restored into a fresh worker keeps the signatures", async () => {
    await using first = await startRig({ args: ["--reasoning", "low"] });
    first.model.reply({
      thinking: "deep",
      text: "a",
      toolCalls: [{ name: "bash", args: { command: "true" } }],
    });
    await first.worker.prompt("go");
    const messages = dig(await first.worker.ask({ type: "get_messages" }), "data", "messages");
    await using second = await startRig({ args: ["--reasoning", "low"] });
    await second.worker.ask({ type: "restore", messages });
    await second.worker.prompt("again");
    expect(JSON.stringify(second.model.requests[0]?.body)).toMatch(/"signature":"signature-\d+"/);
  });

  it("[W33] the system prompt names the directory, the date and the tools; flags replace and extend it", async () => {
    await using rig = await startRig({
      args: ["--append-system-prompt", "Speak like", "--append-system-prompt", "a heron."],
    });
    await rig.worker.prompt("hi");
    const system = JSON.stringify(dig(rig.model.requests[0]?.body, "system"));
    for (const words of [
      rig.directory,
      new Date().toISOString().slice(0, 10),
      "- bash:",
      "Speak like",
      "a heron.",
    ]) {
      expect(system).toContain(words);
    }
    await using other = await startRig({ args: ["--system-prompt", "You are a duck.", "--no-tools"] });
    await other.worker.prompt("hi");
    expect(JSON.stringify(dig(other.model.requests[0]?.body, "system"))).toContain("You are a duck.");
    expect(JSON.stringify(other.model.requests[0]?.body)).not.toContain("Working directory");
    expect(other.model.requests[0]?.tools).toEqual([]);
  });

  it("[W29] all environments of the rig differ, so that no test passes by another provider's key", () => {
    const keys = Object.values(environments("x")).flatMap((env) => Object.keys(env));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
