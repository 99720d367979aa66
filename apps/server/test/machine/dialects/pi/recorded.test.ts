// pi and omp, as they were recorded: every program produces the same turns, whatever its frames are.

import { messageText } from "@patchbay/protocol";
import type { RunningServer } from "@patchbay/testing/server-process";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endSessions, grammar, play, programs, startRecorded, turn, turns } from "../recorded.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startRecorded();
});
afterEach(() => endSessions(server));
afterAll(() => server[Symbol.asyncDispose]());

const answer = "turn_start assistant_start text_delta usage assistant_message turn_end";

describe.each(programs)("%s", (program) => {
  it("[O1] an answer streams, is counted and ends", async () => {
    await using viewer = await play(server, program, "prompt_text");
    await turn(viewer, "hello");
    expect(grammar(viewer).join(" ")).toBe(`user_message ${answer} done`);
    const [prompt, reply] = viewer.transcript.messages;
    expect(prompt?.content).toEqual([{ type: "text", text: "hello" }]);
    expect(reply && messageText(reply)).toMatch(/^The quick brown fox .* reassembly \.$/);
    expect(viewer.transcript.usage).toMatchObject({ input: 200, cache_read: 1000, cost_usd: 0.001395 });
    expect(turns(viewer)).toMatchObject([{ stop: "end", error: null, calls: 1 }]);
    expect(viewer.session).toMatchObject({ provider: "fake", model: "fake-chat" });
    expect(viewer.session?.capabilities).toContain("steer");
  });

  it("[O1] thinking streams as thinking", async () => {
    await using viewer = await play(server, program, "prompt_thinking");
    await turn(viewer, "think");
    expect(grammar(viewer)).toContain("thinking_delta");
    const blocks = viewer.transcript.messages.at(-1)?.content ?? [];
    expect(blocks.map(({ type }) => type)).toEqual(["thinking", "text"]);
  });

  it("[O2] parallel tools: calls, progress and results, each once, and no step before the results", async () => {
    await using viewer = await play(server, program, "prompt_tool_parallel");
    await turn(viewer, "both");
    const frames = viewer.frames.map((frame) => JSON.parse(frame) as Record<string, unknown>);
    const of = (type: string) => frames.filter((frame) => frame["type"] === type);
    expect(of("tool_call").map(({ args }) => args)).toEqual([
      { command: "echo one" },
      { command: "echo two" },
    ]);
    expect(of("tool_use_start")).toHaveLength(2);
    for (const { id } of of("tool_call")) {
      const deltas = of("tool_use_args").filter((frame) => frame["id"] === id);
      expect(JSON.parse(deltas.map(({ delta }) => delta).join(""))).toHaveProperty("command");
      const shown = of("tool_progress").filter((frame) => frame["id"] === id);
      expect(shown.map(({ text }) => text).join("")).toMatch(/^(one|two)\n(\n\nWall time.*)?$/);
    }
    expect(viewer.transcript.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(viewer.transcript.messages[2]?.content).toHaveLength(2);
  });

  it.each([
    ["streams", "abort_mid_stream", "text_delta"],
    ["runs a tool", "abort_mid_tool", "tool_progress"],
  ])("[O3] an abort while it %s ends the turn as aborted", async (_, recording, sign) => {
    await using viewer = await play(server, program, recording);
    await viewer.ask({ type: "prompt", message: "go" });
    await viewer.until(() => grammar(viewer).includes(sign));
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 1);
    expect(turns(viewer)).toMatchObject([{ stop: "aborted", error: null }]);
    await viewer.state("idle");
  });

  it("[O3] the next prompt runs after an abort", async () => {
    await using viewer = await play(server, program, "abort_mid_stream");
    await viewer.ask({ type: "prompt", message: "go" });
    await viewer.until(() => grammar(viewer).includes("text_delta"));
    await viewer.ask({ type: "abort" });
    await viewer.state("idle");
    await turn(viewer, "again");
    expect(turns(viewer).map(({ stop }) => stop)).toEqual(["aborted", "end"]);
  });

  it("[O4] prompts sent at once run one after the other", async () => {
    await using viewer = await play(server, program, "fork_branch");
    const responses = await Promise.all([
      viewer.ask({ type: "prompt", message: "one" }),
      viewer.ask({ type: "prompt", message: "two" }),
    ]);
    expect(responses.map(({ data }) => data)).toMatchObject([{ started: true }, { queued: true }]);
    await viewer.until(() => turns(viewer).length === 2);
    expect(viewer.transcript.messages.map(messageText)).toMatchObject(
      ["one", /^The/, "two", /^The/].map((word) =>
        word instanceof RegExp ? expect.stringMatching(word) : word,
      ),
    );
  });

  it("[O5] a refused key is an error of the turn, and the session goes on", async () => {
    await using viewer = await play(server, program, "error_401");
    await turn(viewer, "no key");
    expect(turns(viewer)[0]).toMatchObject({ stop: "error", calls: 0 });
    expect(turns(viewer)[0]?.error).toContain("Incorrect API key");
    await turn(viewer, "now with a key");
    expect(turns(viewer)[1]).toMatchObject({ stop: "end", error: null });
  });

  it("[O7] U+2028, split emoji and quotes arrive as they were", async () => {
    await using viewer = await play(server, program, "u2028_emoji");
    await turn(viewer, "odd characters");
    const words = "line one\u2028after LS\u2029after PS \u{1F600} grin";
    const streamed = viewer.frames
      .map((frame) => JSON.parse(frame) as { type: string; delta?: string })
      .flatMap(({ type, delta }) => (type === "text_delta" ? [delta] : []))
      .join("");
    const settled = viewer.transcript.messages.at(-1);
    expect(settled && messageText(settled)).toContain(words);
    expect(streamed).toBe(settled && messageText(settled));
  });

  it("[O8] questions of extensions are answered from the page", async () => {
    await using viewer = await play(server, program, "ext_ui_roundtrip");
    viewer.send({ id: "p", type: "prompt", message: "/uidemo arg1" });
    const answers = {
      select: { value: "beta" },
      confirm: { confirmed: true },
      input: { value: "Ann \u2028 Ö" },
    };
    for (const [method, answer] of Object.entries({
      ...answers,
      editor: { value: "line A\nline B edited" },
    })) {
      await viewer.until(() => viewer.session?.pending[0]?.method === method);
      viewer.send({ type: "extension_ui_response", id: viewer.session?.pending[0]?.id, ...answer });
    }
    await viewer.until(() => turns(viewer).length === 1);
    const notices = viewer.transcript.marks.filter((mark) => mark.kind === "notice");
    expect(JSON.stringify(notices)).toContain(String.raw`\"s\":\"beta\",\"c\":true`);
    expect((await viewer.response("p")).data).toMatchObject({ started: true });
    await viewer.state("idle");
  });

  it("[O8] a question without an answer is withdrawn when its time is up", async () => {
    await using viewer = await play(server, program, "ext_ui_timeout");
    viewer.send({ type: "prompt", message: "/uitimeout" });
    await viewer.until(() => viewer.transcript.marks.filter((mark) => mark.kind === "question").length === 3);
    expect(viewer.transcript.marks.filter((mark) => mark.kind === "question")).toMatchObject([
      { by: "timeout", answer: null },
      { by: "timeout" },
      { by: "timeout" },
    ]);
    await viewer.until(() => turns(viewer).length === 1);
    await viewer.state("idle");
  });

  it("[O9] an abort while a question is open answers it first", async () => {
    await using viewer = await play(server, program, "ext_gate_abort");
    await turn(viewer, "/gate");
    await viewer.ask({ type: "prompt", message: "use a tool" });
    await viewer.until(() => viewer.session?.pending.length === 1);
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 2);
    expect(turns(viewer)[1]).toMatchObject({ stop: "aborted" });
    expect(viewer.transcript.marks.find((mark) => mark.kind === "question")).toMatchObject({
      by: "withdrawn",
    });
    expect(viewer.session?.pending).toEqual([]);
  });

  it("[O10] a killed worker ends the turn visibly, and the next prompt starts another", async () => {
    await using viewer = await play(server, program, "end_sigkill_mid_tool");
    await viewer.ask({ type: "prompt", message: "long tool" });
    await viewer.until(() => grammar(viewer).includes("tool_progress"));
    process.kill(Number(viewer.session?.pid), "SIGKILL");
    await viewer.state("failed");
    expect(turns(viewer)).toMatchObject([{ stop: "interrupted" }]);
    expect(viewer.session?.reason).toContain("killed by SIGKILL");
    expect((await viewer.ask({ type: "prompt", message: "again" })).success).toBe(true);
  });
});

describe("what only some report", () => {
  it.each(["pi-0.74.2", "pi-1.5.0"] as const)(
    "[O6] %s reports a retry, and the turn continues",
    async (program) => {
      await using viewer = await play(server, program, "retry_429_then_ok");
      await turn(viewer, "limited");
      const retries = viewer.transcript.marks.filter((mark) => mark.kind === "retry");
      expect(retries).toMatchObject([{ outcome: "succeeded", max_attempts: 3 }]);
      expect(turns(viewer)).toMatchObject([{ stop: "end", error: null, calls: 1 }]);
    },
  );

  it("[O11] a compaction ends with its summary; one that fails, with an error", async () => {
    await using viewer = await play(server, "pi-0.74.2", "compact");
    await turn(viewer, "fill 1");
    await turn(viewer, "fill 2");
    await viewer.ask({ type: "compact" });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "compaction"));
    const compaction = viewer.transcript.marks.find((mark) => mark.kind === "compaction");
    expect(compaction).toMatchObject({ summary: expect.stringContaining("A short summary") });
    await viewer.ask({ type: "compact" });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "error"));
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ message: "Already compacted" });
    await viewer.state("idle");
  });

  it("[O12] what extensions print is no frame, and stops nothing", async () => {
    await using viewer = await play(server, "omp-18.3.4", "ext_stdout_noise");
    await turn(viewer, "/noise");
    await server.logged("the worker wrote a line that is no frame");
  });
});
