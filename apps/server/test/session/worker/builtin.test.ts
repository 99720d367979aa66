// The whole path: server, built-in worker, a model that streams, tools that run, and what it costs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { lastMessages, startFakeModel } from "@patchbay/testing/fake-model";
import { processesWith } from "@patchbay/testing/processes";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { attach, openSession } from "../../support/actor.ts";

const environmentFor = (baseUrl: string) => ({
  env: { ANTHROPIC_API_KEY: "sk-ant-test-key-1234567890", ANTHROPIC_BASE_URL: `${baseUrl}/anthropic` },
});

/** With a worker started ahead, as people have it. */
const startWith = (baseUrl: string): Promise<RunningServer> =>
  startServer({ ...environmentFor(baseUrl), config: { limits: { worker_pool: 1 } } });

describe("built-in worker behind the server", () => {
  it("[B1] a prompt streams an answer, runs a tool, and its cost is in session, ledger and frames alike", async () => {
    await using model = await startFakeModel();
    model.reply(
      {
        thinking: "I should write it down.",
        toolCalls: [{ name: "write", args: { path: "note.txt", content: "hello" } }],
        usage: { input: 1000, output: 100, cache_read: 500 },
      },
      { text: ["Done", ": it is", " written."], usage: { input: 1200, output: 50 } },
    );
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "write hello into note.txt" });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "turn"));
    await viewer.state("idle");
    expect(readFileSync(join(server.cwd, "note.txt"), "utf8")).toBe("hello");
    expect(viewer.transcript.messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    const { usage } = viewer.transcript;
    expect(usage).toMatchObject({ input: 2200, output: 150, cache_read: 500 });
    expect(usage.cost_usd).toBeGreaterThan(0);
    expect(viewer.session?.usage).toEqual(usage);
    const { body } = await server.call("GET", "/api/usage");
    expect(body).toMatchObject({ total: { ...usage, unpriced: 0, thinking: 50 } });
    expect((await viewer.ask({ type: "get_state" })).data).toMatchObject({
      busy: false,
      usage: { input: 2200 },
    });
  });

  it("[P240] what a tool had put out survives the death of its worker, for every viewer and the next model call", async () => {
    await using model = await startFakeModel();
    model.reply(
      { toolCalls: [{ name: "bash", args: { command: "echo out $((40 + 2)); sleep 600" } }] },
      { text: "I see." },
    );
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "run it" });
    await viewer.until(() => JSON.stringify(viewer.transcript.partial).includes("out 42"));
    process.kill(Number(viewer.session?.pid), "SIGKILL");
    await viewer.until(() => viewer.transcript.partial === null && viewer.session?.state === "failed");
    const [result] = viewer.transcript.messages.at(-1)?.content ?? [];
    expect(result).toMatchObject({
      type: "tool_result",
      content: [{ text: "out 42\n" }],
      details: { interrupted: true },
    });
    await using other = await attach(server, String(viewer.session?.id));
    expect(other.transcript.messages).toEqual(viewer.transcript.messages);
    await viewer.ask({ type: "prompt", message: "what did it say?" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.transcript.messages.length === 5);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("out 42");
  });

  it("[B2] a stopped session gets its transcript back when the next prompt starts a worker", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "Your name is Ada." }, { text: "Ada, as you said." });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "my name is Ada" });
    await viewer.until(() => viewer.transcript.messages.length === 2 && viewer.session?.state === "idle");
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.ask({ type: "prompt", message: "what is my name?" });
    await viewer.until(() => viewer.transcript.messages.length === 4 && viewer.session?.state === "idle");
    const sent = JSON.stringify(model.requests.at(-1)?.body);
    expect(sent).toContain("my name is Ada");
    expect(sent).toContain("Your name is Ada.");
    expect(viewer.transcript.marks.some((mark) => mark.kind === "notice")).toBe(false);
  });

  it("[B3] killed in the middle of an answer, the worker comes back with everything that was settled", async () => {
    await using model = await startFakeModel();
    model.reply(
      { text: "First answer." },
      { text: ["Half an ", "answer"], hangAfterChunks: 1 },
      { text: "Third answer." },
    );
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await using whole = await attach(server, String(viewer.session?.id), { since: 0 });
    await viewer.ask({ type: "prompt", message: "one" });
    await viewer.until(() => viewer.transcript.messages.length === 2 && viewer.session?.state === "idle");
    await viewer.ask({ type: "prompt", message: "two" });
    await viewer.until(() => JSON.stringify(viewer.transcript.partial).includes("Half an"));
    const ready = whole.frames.findLast((frame) => frame.includes('"event":"ready"')) ?? "{}";
    process.kill((JSON.parse(ready) as { pid: number }).pid, "SIGKILL");
    const failed = await viewer.state("failed");
    expect(failed.reason).toContain("killed by SIGKILL");
    expect(viewer.transcript.marks).toMatchObject([
      { kind: "turn" },
      { kind: "unkept" },
      { stop: "interrupted" },
      { kind: "worker_exit" },
    ]);
    await viewer.ask({ type: "prompt", message: "three" });
    await viewer.until(() => JSON.stringify(viewer.transcript.messages.at(-1)).includes("Third answer."));
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("First answer.");
  });

  it("[B4] aborting a running command ends its process", async () => {
    await using model = await startFakeModel();
    model.reply({
      toolCalls: [{ name: "bash", args: { command: "export RUNS=b4; echo started; sleep 1000" } }],
    });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "sleep" });
    await viewer.until(() => viewer.transcript.partial?.tools[0]?.output.includes("started") === true);
    expect(processesWith("RUNS", "b4").length).toBeGreaterThan(0);
    await viewer.ask({ type: "abort" });
    await viewer.until(() =>
      viewer.transcript.marks.some((mark) => mark.kind === "turn" && mark.stop === "aborted"),
    );
    expect(processesWith("RUNS", "b4")).toEqual([]);
  });

  it("[B5] the key of the model provider reaches neither the shell nor any log", async () => {
    await using model = await startFakeModel();
    model.reply({ toolCalls: [{ name: "bash", args: { command: "env" } }] }, { text: "ok" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "show the environment" });
    await viewer.until(() => viewer.transcript.messages.length === 4);
    expect(viewer.frames.join("")).toContain("PATH=");
    expect(viewer.frames.join("") + server.stderr()).not.toContain("sk-ant-test-key");
    expect(viewer.frames.join("")).not.toContain("ZOTCORE_RPC_TOKEN");
  });

  it("[B8] no process of a session has the key in its environment: keys come through a pipe", async () => {
    await using model = await startFakeModel();
    const look = "cat /proc/$PPID/environ /proc/self/environ | tr '\\0' '\\n'; ls /proc/self/fd";
    model.reply({ toolCalls: [{ name: "bash", args: { command: look } }] }, { text: "ok" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "look around" });
    await viewer.until(() => viewer.transcript.messages.length === 4);
    expect(JSON.stringify(viewer.transcript.messages)).toContain("PATH=");
    expect(viewer.frames.join("")).not.toContain("sk-ant-test-key");
    const pids = processesWith("HOME", server.home).filter((pid) => pid !== server.process.pid);
    expect(pids.length).toBeGreaterThanOrEqual(1);
    for (const pid of pids) {
      expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toMatch(
        /sk-ant-test-key|API_KEY|BASE_URL|RPC_TOKEN/,
      );
    }
    expect((await server.call("GET", "/api/workers")).text).toContain("claude"); // listed with the key
  });

  it("[B6] [U300] without any key the demo model answers, says what it is, and costs nothing", async () => {
    await using server = await startServer();
    await using viewer = await openSession(server);
    expect(viewer.session).toMatchObject({ provider: "demo" });
    await viewer.ask({ type: "prompt", message: "run the command: echo from-the-shell" });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "turn"));
    const text = JSON.stringify(viewer.transcript.messages);
    expect(text).toContain("from-the-shell");
    expect(text.toLowerCase()).toContain("demo");
    expect(viewer.transcript.usage).toMatchObject({ output: expect.any(Number), cost_usd: 0 });
    expect(viewer.transcript.usage).not.toHaveProperty("unpriced");
    const { body: usage } = await server.call("GET", "/api/usage?group_by=provider");
    expect(usage).toMatchObject({
      rows: [{ provider: "demo", cost_usd: 0, unpriced: 0 }],
      total: { calls: expect.any(Number), cost_usd: 0, unpriced: 0 },
    });
  });

  it("[B7] a compaction is counted, shortens what the model sees, and keeps what people see", async () => {
    await using model = await startFakeModel();
    for (const text of ["A1", "A2", "A3"]) model.reply({ text, usage: { input: 10, output: 10 } });
    model.reply(
      { text: "SUMMARY OF ALL", usage: { input: 100, output: 20 } },
      { text: "A4", usage: { input: 5, output: 5 } },
    );
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    for (const message of ["Q1", "Q2", "Q3"]) {
      await viewer.ask({ type: "prompt", message });
      await viewer.until(
        () =>
          viewer.session?.state === "idle" &&
          viewer.transcript.partial === null &&
          JSON.stringify(viewer.transcript.messages).includes(message),
      );
    }
    await viewer.ask({ type: "compact" });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "compaction"));
    await viewer.ask({ type: "prompt", message: "Q4" });
    await viewer.until(() => viewer.transcript.messages.length === 8 && viewer.session?.state === "idle");
    const sent = lastMessages(model);
    expect(sent).toContain("SUMMARY OF ALL");
    expect(sent).not.toContain("Q1");
    expect(viewer.session?.usage.input).toBe(135);
  });

  it.each([0, 50, 150])(
    "[K25] a server that ends %d ms into the start of a worker starts no other",
    async (ms) => {
      await using model = await startFakeModel();
      await using server = await startServer({
        ...environmentFor(model.baseUrl),
        config: { limits: { worker_pool: 0 } },
      });
      const viewer = await openSession(server);
      await viewer.ask({ type: "prompt", message: "hi" });
      await viewer.until(() => viewer.transcript.marks.length > 0);
      await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
      viewer.send(`${JSON.stringify({ type: "prompt", message: "again" })}\n`);
      await wait(ms);
      await viewer.close(); // disposing the server finds what outlives it
    },
  );

  it("[K25] a stop while a worker starts fails the prompt that waited for it, and leaves no worker", async () => {
    await using model = await startFakeModel();
    await using server = await startServer({
      ...environmentFor(model.baseUrl),
      config: { limits: { worker_pool: 0 } },
    });
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hi" });
    await viewer.until(() => viewer.transcript.marks.length > 0);
    const stop = `/api/sessions/${String(viewer.session?.id)}/stop`;
    await server.call("POST", stop);
    const answered = viewer.ask({ type: "prompt", message: "again" });
    await viewer.state("starting");
    await server.call("POST", stop);
    expect(await answered).toMatchObject({
      success: false,
      error: expect.stringContaining("stopped before"),
    });
    await viewer.state("stopped");
    await wait(300);
    expect(viewer.session?.state).toBe("stopped");
  });
});
