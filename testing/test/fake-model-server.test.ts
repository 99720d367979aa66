// The fake model server as an HTTP server: scripts, listings, refusals, and its end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { describe, expect, it } from "vitest";
import { replyByPrompt } from "../src/fake-model/by-prompt.ts";

const call = (base: string, body: unknown, init: RequestInit = {}) =>
  fetch(`${base}/compatible/v1/chat/completions`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

const says = (content: string) => ({ model: "m", stream: true, messages: [{ role: "user", content }] });

describe("the fake model server", () => {
  it("takes scripted replies in the order of the calls, functions too", async () => {
    await using model = await startFakeModel();
    model.reply({ text: ["first"] }, (request) => ({ text: [`second, to ${request.userText}`] }));
    expect(await (await call(model.baseUrl, says("a"))).text()).toContain('"content":"first"');
    expect(model.unused).toBe(1);
    expect(await (await call(model.baseUrl, says("b"))).text()).toContain('"content":"second, to b"');
    expect(model.unused).toBe(0);
  });

  it("reads a prompt that comes in one message with the results of a stopped turn, and no reminder as one", async () => {
    await using model = await startFakeModel();
    const result = { type: "tool_result", tool_use_id: "call", content: "[Request interrupted]" };
    const text = (words: string) => ({ type: "text", text: words });
    const reminder = text("<system-reminder>Be brief.</system-reminder>");
    const send = (content: unknown[]) =>
      fetch(`${model.baseUrl}/anthropic/v1/messages`, {
        method: "POST",
        body: JSON.stringify({
          ...{ model: "m", stream: true },
          messages: [
            { role: "user", content: "before" },
            { role: "user", content },
          ],
        }),
      });
    await (await send([result, reminder])).text();
    expect(model.requests.at(-1)).toMatchObject({
      userText: "before",
      toolResults: ["[Request interrupted]"],
    });
    await (await send([result, reminder, text("And now?")])).text();
    expect(model.requests.at(-1)).toMatchObject({ userText: "And now?", toolResults: [] });
  });

  it("sends no usage in chat completions unless asked", async () => {
    await using model = await startFakeModel();
    const plain = await (await call(model.baseUrl, says("a"))).text();
    expect(plain).not.toContain("usage");
    expect(model.billed().output).toBe(0);
    const asked = { ...says("a"), stream_options: { include_usage: true } };
    expect(await (await call(model.baseUrl, asked)).text()).toContain(
      '"choices":[],"usage":{"prompt_tokens"',
    );
    expect(model.billed().output).toBeGreaterThan(0);
  });

  it.each([
    ["/compatible/v1/models", { object: "list", data: [{ id: "m1" }] }],
    ["/ollama/v1/models", { object: "list", data: [{ id: "m1" }] }],
    ["/openai/v1/models", { object: "list", data: [{ id: "m1" }] }],
    ["/ollama/api/tags", { models: [{ name: "m1" }] }],
    ["/google/v1beta/models", { models: [{ name: "models/m1" }] }],
  ])("lists its models at %s", async (path, listing) => {
    await using model = await startFakeModel({ models: ["m1"] });
    const response = await fetch(model.baseUrl + path);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject(listing);
  });

  it("refuses what it does not serve, without taking a reply", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "unused" });
    expect((await fetch(`${model.baseUrl}/nowhere`)).status).toBe(404);
    expect((await call(model.baseUrl, "{not json")).status).toBe(400);
    expect((await call(model.baseUrl, { ...says("a"), stream: false })).status).toBe(400);
    expect(model.unused).toBe(1);
    expect(model.requests).toHaveLength(0);
  });

  it("sends the status, headers and body that a script gives", async () => {
    await using model = await startFakeModel();
    model.reply({ status: 429, headers: { "retry-after": "7" } }, { status: 503, body: "down for repairs" });
    const limited = await call(model.baseUrl, says("a"));
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await limited.json()).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    const down = await call(model.baseUrl, says("a"));
    expect([down.status, await down.text()]).toEqual([503, "down for repairs"]);
  });

  it("runs by hand, and ends when told to", async () => {
    const main = fileURLToPath(new URL("../src/fake-model/main.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", main, "--port", "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exit = once(child, "exit");
    try {
      const [line] = await once(child.stdout.setEncoding("utf8"), "data");
      const base = /^http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? "";
      const answer = await (await call(base, says("use bash: ls"))).text();
      expect(answer).toContain('"function":{"name":"bash"');
    } finally {
      child.kill("SIGTERM");
    }
    expect(await exit).toEqual([0, null]);
  });

  it("counts a caller that hangs up while it waits for headers", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "never", hangBefore: "headers" });
    const abort = new AbortController();
    const refused = expect(call(model.baseUrl, says("a"), { signal: abort.signal })).rejects.toThrow();
    await model.nextRequest();
    abort.abort();
    await refused;
    await model.untilAborted(1);
    expect(model.billed()).toEqual({ input: 0, output: 0, cache_read: 0, cache_write: 0 });
  });

  it("closes hanging replies when it is disposed of", async () => {
    const model = await startFakeModel();
    model.reply({ text: "never", hangBefore: "first-chunk" });
    const response = await call(model.baseUrl, says("a"));
    const read = expect(response.text()).rejects.toThrow();
    const waiting = model.nextRequest().then(() => model.nextRequest());
    const failed = expect(waiting).rejects.toThrow();
    await model[Symbol.asyncDispose]();
    await Promise.all([read, failed]);
    await expect(fetch(model.baseUrl)).rejects.toThrow();
  });
});

describe("replies by prompt", () => {
  const request = (userText: string, toolResults: string[] = []) => ({
    provider: "compatible" as const,
    path: "/",
    headers: {},
    body: {},
    bodyLength: 2,
    model: "m",
    serial: 1,
    userText,
    toolResults,
    tools: [],
  });

  it.each([
    ["use bash: ls -l", "bash", { command: "ls -l" }],
    ["write notes.txt: hello\nworld", "write", { path: "notes.txt", content: "hello\nworld" }],
    ["read the file notes.txt", "read", { path: "notes.txt" }],
    ["edit a.ts: one => two", "edit", { path: "a.ts", edits: [{ oldText: "one", newText: "two" }] }],
  ])("%s", (prompt, name, args) => {
    expect(replyByPrompt(request(prompt)).toolCalls).toMatchObject([{ name, args }]);
  });

  it("answers in words once the tool has answered", () => {
    expect(replyByPrompt(request("use bash: ls", ["a.ts"]))).toEqual({ text: "The tool answered: a.ts" });
  });

  it("thinks, is slow, writes markdown, fails", () => {
    expect(replyByPrompt(request("please think")).thinking).toContain("step by step");
    expect(replyByPrompt(request("be slow")).delayMs).toBe(30);
    expect(replyByPrompt(request("some long markdown")).text).toContain("| --- | ---: |");
    expect(replyByPrompt(request("unauthorized")).status).toBe(401);
  });
});
