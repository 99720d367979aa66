// The ten commands of zot rpc and `restore`, and what is answered to lines that are none of them.
import { startWorker } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { dig, startRig } from "../rig.ts";

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("commands", () => {
  it("[W1] hello says protocol version, version, provider, model and capabilities, with type first", async () => {
    await using rig = await startRig();
    const hello = await rig.worker.ask({ type: "hello" });
    expect(hello).toMatchObject({
      command: "hello",
      success: true,
      data: {
        protocol_version: 1,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        provider: "anthropic",
        model: "claude-sonnet-5",
        capabilities: expect.arrayContaining(["restore", "thinking", "images", "context_window"]),
      },
    });
    expect(rig.worker.lines[0]).toMatch(/^\{"type":"response",/);
  });

  it("[W1] says nothing before the first command, and answers several hellos", async () => {
    await using worker = startWorker();
    await worker.ask({ type: "hello" });
    await worker.ask({ type: "hello", token: "ignored" });
    expect(worker.frames.map((frame) => frame["command"])).toEqual(["hello", "hello"]);
  });

  it("[W2] ping, get_state, get_messages, get_models and abort answer at once when idle", async () => {
    await using rig = await startRig();
    const { worker, directory } = rig;
    expect(await worker.ask({ type: "ping" })).toMatchObject({ success: true, data: { pong: true } });
    expect(await worker.ask({ type: "get_state" })).toMatchObject({
      data: {
        provider: "anthropic",
        model: "claude-sonnet-5",
        cwd: directory,
        message_count: 0,
        busy: false,
        usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
        context_window: 1_000_000,
      },
    });
    expect(await worker.ask({ type: "get_messages" })).toMatchObject({ data: { messages: [] } });
    const abort = await worker.ask({ type: "abort" });
    expect(abort).toEqual({ type: "response", command: "abort", success: true, id: abort["id"] });
    const models = dig(await worker.ask({ type: "get_models" }), "data", "models");
    expect(models).toContainEqual({
      id: "claude-sonnet-5",
      provider: "anthropic",
      context_window: 1_000_000,
      max_output: expect.any(Number),
      reasoning: true,
    });
  });

  it("[W2] an id that is absent or empty is not echoed", async () => {
    await using worker = startWorker();
    worker.writeRaw('{"type":"ping"}\n{"type":"ping","id":""}\n');
    const expected = { type: "response", command: "ping", success: true, data: { pong: true } };
    expect(await worker.next("response")).toEqual(expected);
    expect(await worker.next("response")).toEqual(expected);
  });

  it("[W3] set_model takes models of the provider, or of another one with access", async () => {
    await using rig = await startRig({ env: { DEEPSEEK_API_KEY: "k" } });
    const set = (model: string) => rig.worker.ask({ type: "set_model", model });
    expect(await set("claude-haiku-4-5")).toMatchObject({
      success: true,
      data: { model: "claude-haiku-4-5" },
    });
    expect(await set("no-such")).toMatchObject({
      success: false,
      error: 'unknown model "no-such" (provider="anthropic")',
    });
    expect(await set("openai/gpt-5.5")).toMatchObject({ success: false });
    expect(await set("deepseek/deepseek-flash")).toMatchObject({ success: true });
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { provider: "deepseek", model: "deepseek-flash" },
    });
  });

  it("[W4] clear forgets the transcript and keeps the cost", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "hi", usage: { input: 1000, output: 100 } });
    await rig.worker.prompt("hello");
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { message_count: 2 } });
    const cleared = await rig.worker.ask({ type: "clear" });
    expect(cleared).toEqual({ type: "response", command: "clear", success: true, id: cleared["id"] });
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { message_count: 0, usage: { input: 1000, output: 100, cost_usd: 0.003 } },
    });
  });

  it("[W5] restore puts a transcript back, and the next call sends it", async () => {
    await using rig = await startRig();
    const time = "2026-01-01T00:00:00Z";
    const messages = [
      { role: "user", content: [{ type: "text", text: "remember the word heron" }], time },
      { role: "assistant", content: [{ type: "text", text: "heron it is" }], time },
    ];
    expect(await rig.worker.ask({ type: "restore", messages })).toMatchObject({ data: { message_count: 2 } });
    expect(await rig.worker.ask({ type: "get_messages" })).toMatchObject({ data: { messages } });
    rig.model.reply({ text: "heron" });
    await rig.worker.prompt("which word?");
    const sent = JSON.stringify(dig((await rig.model.nextRequest()).body, "messages"));
    expect(sent).toContain("remember the word heron");
    expect(sent).toContain("heron it is");
    expect(await rig.worker.ask({ type: "restore", messages: [{ role: "nobody" }] })).toMatchObject({
      success: false,
    });
  });
});

describe("bad input", () => {
  it("[W6] malformed JSON, a numeric id and a non-object are answered without an id, and the worker goes on", async () => {
    await using worker = startWorker();
    worker.writeRaw('{"type":"hello","id":7}\n{nope\n{"type":"ping","id":7}\n[1]\n{"id":"x"}\n');
    for (let count = 0; count < 5; count++) {
      const response = await worker.next("response");
      expect(response).toMatchObject({
        command: "",
        success: false,
        error: expect.stringMatching(/^malformed json: /),
      });
      expect(response).not.toHaveProperty("id");
    }
    expect(await worker.ask({ type: "ping" })).toMatchObject({ success: true });
  });

  it("[W6] an unknown command and wrong field types are answered with their id", async () => {
    await using worker = startWorker();
    expect(await worker.ask({ type: "hello", token: 5 })).toMatchObject({ error: "token: expected string" });
    expect(await worker.ask({ type: "dance" })).toMatchObject({
      command: "dance",
      success: false,
      error: "unknown command",
    });
    expect(await worker.ask({ type: "prompt", message: 5 })).toMatchObject({
      command: "prompt",
      success: false,
      error: "message: expected string",
    });
    expect(await worker.ask({ type: "set_model" })).toMatchObject({ success: false });
  });

  it("[W7] an empty prompt is refused in words, and nothing is sent to the model", async () => {
    await using rig = await startRig();
    for (const message of ["", "  \n"]) {
      expect(await rig.worker.ask({ type: "prompt", message })).toMatchObject({
        success: false,
        error: expect.stringContaining("the prompt is empty"),
      });
    }
    expect(await rig.worker.ask({ type: "prompt" })).toMatchObject({ success: false });
    expect(rig.model.requests).toHaveLength(0);
  });

  it("[W8] images: bad base64 and other types are refused; good ones reach the model and come back by size", async () => {
    await using rig = await startRig();
    const send = (image: unknown) => rig.worker.ask({ type: "prompt", message: "look", images: [image] });
    for (const data of ["%%%", "abc", "", "iVBORw0KGgo=="]) {
      expect(await send({ mime_type: "image/png", data })).toMatchObject({
        success: false,
        error: expect.stringContaining("base64"),
      });
    }
    expect(await send({ mime_type: "text/html", data: png })).toMatchObject({ success: false });
    rig.model.reply({ text: "a dot" });
    const frames = await rig.worker.prompt("", { images: [{ mime_type: "image/png", data: png }] });
    const bytes = Buffer.from(png, "base64").length;
    expect(frames[1]).toMatchObject({
      type: "user_message",
      content: [{ type: "image", mime_type: "image/png", bytes, data: png }],
    });
    expect(JSON.stringify((await rig.model.nextRequest()).body)).toContain(png);
    expect(dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages", 0, "content")).toEqual([
      { type: "image", mime_type: "image/png", bytes },
    ]);
  });

  it("[W9] CRLF, blank lines, U+2028, a split emoji and a last line without LF are read right", async () => {
    await using rig = await startRig({ provider: "anthropic" });
    const { worker, model } = rig;
    worker.writeRaw('\r\n  \n{"type":"ping","id":"crlf"}\r\n');
    expect(await worker.next("response")).toMatchObject({ id: "crlf" });
    const text = "a\u2028b 🦩 c";
    const bytes = Buffer.from(`${JSON.stringify({ type: "prompt", id: "p", message: text })}\n`);
    const inEmoji = bytes.indexOf(Buffer.from("🦩")) + 2;
    model.reply({ text });
    worker.writeRaw(bytes.subarray(0, inEmoji));
    worker.writeRaw(bytes.subarray(inEmoji));
    expect(await worker.next("user_message")).toMatchObject({ content: [{ text }] });
    expect(await worker.next("assistant_message")).toMatchObject({ content: [{ text }] });
    await worker.next("done");
    worker.writeRaw('{"type":"ping","id":"last"}');
    worker.closeInput();
    expect(await worker.next("response")).toMatchObject({ id: "last" });
    expect(await worker.exit).toEqual({ code: 0, signal: null });
  });

  it("[W9] a prompt of 10 MB in one line is taken; a line over 16 MiB is answered and ends the worker", async () => {
    await using worker = startWorker();
    const message = "x".repeat(10 * 1024 * 1024);
    worker.send({ type: "prompt", message });
    expect(dig(await worker.next("user_message"), "content", 0, "text")).toHaveLength(message.length);
    await worker.next("done");
    worker.writeRaw("y".repeat(17 * 1024 * 1024));
    expect(await worker.next("response")).toMatchObject({
      success: false,
      error: expect.stringContaining("too long"),
    });
    expect((await worker.exit).code).toBe(1);
  });
});
