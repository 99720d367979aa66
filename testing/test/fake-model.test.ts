// The fake model server, read by the provider library that the worker uses: every format, every
// way a call can go. What the library understands here, it would understand from the provider.
import type { AssistantMessage, Context } from "@earendil-works/pi-ai";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type PiProvider, piProviders } from "./pi-providers.ts";

vi.stubEnv("OPENAI_LOG", "off"); // its SDK prints what it cannot parse, which here is on purpose
afterAll(() => void vi.unstubAllEnvs());

const asks = (text: string): Context => ({
  systemPrompt: "You are a test.",
  messages: [{ role: "user", content: text, timestamp: 0 }],
  tools: [
    {
      name: "bash",
      description: "Runs a command.",
      parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    },
  ],
});

const ask = (provider: PiProvider, base: string, text = "hello", options = {}) =>
  provider.stream(base, asks(text), { apiKey: "sk-test", ...options });

const textOf = (message: AssistantMessage): string =>
  message.content.map((block) => (block.type === "text" ? block.text : "")).join("");

const tokensOf = ({ usage }: AssistantMessage) => ({
  input: usage.input,
  output: usage.output,
  cache_read: usage.cacheRead,
  cache_write: usage.cacheWrite,
});

describe.each(piProviders)("$name", (provider) => {
  it("streams text in the pieces that were scripted", async () => {
    await using model = await startFakeModel();
    model.reply({ text: ["Grüße", " aus", " 🎛️ \u2028", '"quoted" \\ text'] });
    const stream = ask(provider, model.baseUrl);
    const deltas: string[] = [];
    for await (const event of stream) if (event.type === "text_delta") deltas.push(event.delta);
    const message = await stream.result();
    expect(deltas.filter((delta) => delta !== "")).toEqual([
      "Grüße",
      " aus",
      " 🎛️ \u2028",
      '"quoted" \\ text',
    ]);
    expect(textOf(message)).toBe('Grüße aus 🎛️ \u2028"quoted" \\ text');
    expect(message.stopReason).toBe("stop");
  });

  it("shows what it was sent", async () => {
    await using model = await startFakeModel();
    await ask(provider, model.baseUrl, "the words of a person").result();
    expect(await model.nextRequest()).toMatchObject({
      provider: provider.provider,
      userText: "the words of a person",
      toolResults: [],
      tools: ["bash"],
      serial: 1,
    });
  });

  it("answers with the person's words when nothing is scripted", async () => {
    await using model = await startFakeModel();
    expect(textOf(await ask(provider, model.baseUrl, "ping  pong").result())).toBe("You said: ping  pong");
  });

  it("streams thinking before the text", async () => {
    await using model = await startFakeModel();
    model.reply({ thinking: ["Let me", " think."], text: "Done." });
    const message = await ask(provider, model.baseUrl).result();
    const kinds = message.content.map((block) => block.type);
    expect(kinds).toEqual(provider.thinks ? ["thinking", "text"] : ["text"]);
    const thinking = message.content.find((block) => block.type === "thinking");
    expect(thinking?.thinking).toBe(provider.thinks ? "Let me think." : undefined);
  });

  it("calls tools, with the arguments in fragments, and reads their results back", async () => {
    await using model = await startFakeModel();
    model.reply({
      text: "I look.",
      toolCalls: [
        { id: "call_a", name: "bash", args: { command: "echo 'é🎛️'" }, chunks: 7 },
        { id: "call_b", name: "bash", args: { command: "ls" } },
      ],
    });
    const message = await ask(provider, model.baseUrl).result();
    expect(message.stopReason).toBe("toolUse");
    const calls = message.content.filter((block) => block.type === "toolCall");
    expect(calls.map((call) => [call.name, call.arguments])).toEqual([
      ["bash", { command: "echo 'é🎛️'" }],
      ["bash", { command: "ls" }],
    ]);
    expect(calls.map((call) => call.id.split("|")[0])).toEqual(["call_a", "call_b"]);

    const context = asks("hello");
    context.messages.push(
      message,
      ...calls.map((call, index) => ({
        role: "toolResult" as const,
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: "text" as const, text: `result ${index}` }],
        isError: false,
        timestamp: 0,
      })),
    );
    const after = await provider.stream(model.baseUrl, context, { apiKey: "sk-test" }).result();
    expect(model.requests[1]).toMatchObject({ userText: "hello", toolResults: ["result 0", "result 1"] });
    expect(textOf(after)).toBe("The tool answered: result 0\nresult 1");
  });

  it("reports usage to the token, and bills the same", async () => {
    await using model = await startFakeModel();
    const usage = { input: 1234, output: 567, cache_read: 890, cache_write: 11 };
    model.reply({ thinking: "Hm.", text: "Yes.", usage });
    const message = await ask(provider, model.baseUrl).result();
    const reported = provider.countsCacheWrites ? usage : { ...usage, input: 1245, cache_write: 0 };
    expect(tokensOf(message)).toEqual(reported);
    expect(model.billed()).toEqual(reported);
  });

  it("ends for want of room when told so", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "This goes on and", stop: "length" });
    expect((await ask(provider, model.baseUrl).result()).stopReason).toBe("length");
  });

  it.each(["headers", "first-chunk", "end"] as const)(
    "hangs before %s until it is released",
    async (hangBefore) => {
      await using model = await startFakeModel();
      model.reply({ text: "late", hangBefore });
      const result = ask(provider, model.baseUrl).result();
      await model.nextRequest();
      model.release();
      expect(textOf(await result)).toBe("late");
    },
  );

  it("counts a call that is aborted in the middle, and bills what was reported by then", async () => {
    await using model = await startFakeModel();
    const usage = { input: 100, output: 50, cache_read: 7, cache_write: 0 };
    model.reply({ text: ["one", "two", "three"], usage, hangAfterChunks: 2 });
    const abort = new AbortController();
    const stream = ask(provider, model.baseUrl, "hello", { signal: abort.signal });
    let seen = "";
    for await (const event of stream) {
      if (event.type !== "text_delta") continue;
      seen += event.delta;
      if (seen === "onetwo") abort.abort();
    }
    const message = await stream.result();
    await model.untilAborted(1);
    expect(message.stopReason).toBe("aborted");
    expect(textOf(message)).toBe("onetwo");
    expect(model.aborted).toBe(1);
    expect(tokensOf(message)).toEqual(model.billed());
  });

  it("refuses with the provider's own error body", async () => {
    await using model = await startFakeModel();
    model.reply({ status: 401 });
    const message = await ask(provider, model.baseUrl).result();
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toContain("The API key is invalid.");
    expect(model.billed()).toEqual({ input: 0, output: 0, cache_read: 0, cache_write: 0 });
  });

  it("sends 429 with retry-after, and answers the next attempt", async () => {
    await using model = await startFakeModel();
    model.reply({ status: 429, headers: { "retry-after": "0" } }, { text: "Now I can." });
    const message = await ask(provider, model.baseUrl, "hello", { maxRetries: 1 }).result();
    expect(textOf(message)).toBe("Now I can.");
    expect(model.requests).toHaveLength(2);
  });

  it("cuts the stream in the middle of an answer", async () => {
    await using model = await startFakeModel();
    model.reply({ text: ["one", "two", "three"], hangAfterChunks: 1, cutAfterChunks: 1 });
    const stream = ask(provider, model.baseUrl);
    for await (const event of stream) if (event.type === "text_delta") model.release();
    const message = await stream.result();
    expect(message.stopReason).toBe("error");
    expect(textOf(message)).toBe("one");
    expect(model.aborted).toBe(0);
  });

  it("reports an overload in the middle of an answer", async () => {
    await using model = await startFakeModel();
    model.reply({ text: ["one", "two"], errorAfterChunks: 1 });
    const message = await ask(provider, model.baseUrl).result();
    expect(message.stopReason).toBe("error");
    expect(textOf(message)).toBe("one");
  });

  it("can say something that is not JSON", async () => {
    await using model = await startFakeModel();
    model.reply({ text: ["one"], malformed: true });
    const message = await ask(provider, model.baseUrl).result();
    expect(message.stopReason).toBe("error");
    expect(textOf(message)).toBe("one");
  });
});
