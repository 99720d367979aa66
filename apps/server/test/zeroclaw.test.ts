// zeroclaw behind the server: a scripted daemon that follows the protocol to the letter is the peer.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { ZeroclawDaemon } from "@patchbay/testing/zeroclaw-daemon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "./actor.ts";

const path = join(mkdtempSync(join(tmpdir(), "patchbay-zeroclaw-")), "daemon.sock");

async function turn(viewer: TestViewer, message: string): Promise<string> {
  const turns = () => viewer.transcript.marks.filter((mark) => mark.kind === "turn").length;
  const before = turns();
  const response = await viewer.ask({ type: "prompt", message });
  if (!response.success) throw new Error(response.error);
  await viewer.until(() => turns() > before && viewer.session?.state === "idle");
  return JSON.stringify(viewer.transcript.messages.at(-1)?.content);
}

describe("zeroclaw", () => {
  let daemon: ZeroclawDaemon;
  let server: RunningServer;
  beforeAll(async () => {
    daemon = await ZeroclawDaemon.at(path);
    const workers = {
      claw: { dialect: "zeroclaw", socket: path },
      absent: { dialect: "zeroclaw", socket: `${path}.absent` },
    };
    server = await startServer({ config: { default_worker: "claw", workers } });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("[Z1] is offered where its socket is, and says which agents it has; a missing one is told with what to do", async () => {
    await using viewer = await openSession(server);
    expect(viewer.session).toMatchObject({ dialect: "zeroclaw", provider: "zeroclaw", model: "coder" });
    const { body } = await server.call("GET", "/api/workers");
    expect(JSON.stringify(body)).toContain(`Nobody listens on ${path}.absent. Start the daemon`);
    expect((await viewer.ask({ type: "get_models" })).data).toMatchObject({
      models: [{ id: "coder" }, { id: "writer" }],
    });
    expect(await viewer.ask({ type: "set_model", model: "nobody" })).toMatchObject({ success: false });
    await viewer.ask({ type: "set_model", model: "writer" });
    await turn(viewer, "say it");
    expect([...daemon.sessions.values()].at(-1)).toMatchObject({ alias: "writer" });
    expect(daemon.calls.findLast(({ method }) => method === "session/new")?.params).toMatchObject({
      chat_mode: "acp",
      keep_siblings: true,
      cwd: server.cwd,
    });
  });

  it("[Z2] text, thoughts, plan and the context stream; an answer that was not streamed is shown; a failure is told", async () => {
    await using viewer = await openSession(server);
    expect(await turn(viewer, "say hello")).toContain('"text":"hello."');
    expect(JSON.stringify(viewer.transcript.messages)).toContain("Hm.");
    expect(viewer.transcript.context_tokens).toBe(1210);
    expect(viewer.transcript.surface.widgets).toMatchObject([{ lines: ["✓ Look"] }]);
    expect(await turn(viewer, "silent words")).toContain("words");
    await turn(viewer, "fail");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({
      stop: "error",
      error: "turn failed: 401 wrong key",
    });
  });

  it("[Z3] an approval is a question; the decision goes to the daemon before the tool runs", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "ask" });
    await viewer.state("waiting");
    const [question] = viewer.session?.pending ?? [];
    expect(question).toMatchObject({
      method: "select",
      tool: "shell",
      message: "command: make deploy",
      timeout: 120_000,
    });
    viewer.send({ type: "extension_ui_response", id: question?.id, value: "allow_always" });
    await viewer.state("idle");
    expect(JSON.stringify(viewer.transcript.messages)).toContain('"text":"allow_always"');
    expect(viewer.frames.find((frame) => frame.includes('"tool_call"'))).toContain('"name":"bash"');
    await viewer.ask({ type: "prompt", message: "ask" });
    await viewer.state("waiting");
    await viewer.ask({ type: "abort" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.pending.length === 0);
  });

  it("[Z4] an abort cancels as the owner and ends the turn as aborted; what is queued runs then", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes("waiting")));
    await viewer.ask({ type: "prompt", message: "say later" });
    await viewer.ask({ type: "abort" });
    await viewer.until(() => JSON.stringify(viewer.transcript.messages).includes("later."));
    expect(viewer.transcript.marks.find((mark) => mark.kind === "turn")).toMatchObject({ stop: "aborted" });
  });

  it("[Z5] a connection that breaks is made again with its identity, and the session opened again; the turn is told as lost", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say before");
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes("waiting")));
    const calls = daemon.calls.length;
    daemon.cut();
    await viewer.until(() =>
      JSON.stringify(viewer.transcript.marks).includes("connection to the daemon broke"),
    );
    expect(await turn(viewer, "recall")).toContain("say before");
    const again = daemon.calls.slice(calls).find(({ method }) => method === "initialize");
    expect(again?.params["tui_id"]).toMatch(/^tui_/);
    expect(viewer.session?.state).toBe("idle");
  });

  it("[Z7] what a turn cost is asked for when it is over; without an account it is unknown", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say one");
    await turn(viewer, "say two");
    await viewer.until(() => viewer.session?.usage.cost_usd === 0.004);
    expect(viewer.session?.usage).toMatchObject({ input: 2400, output: 20 });
    expect(viewer.session?.usage.unpriced ?? 0).toBe(0);
    daemon.tracksCosts = false;
    await turn(viewer, "say three");
    await viewer.until(() => viewer.session?.usage.unpriced === 1);
    expect(viewer.session?.usage.cost_usd).toBe(0.004);
    daemon.tracksCosts = true;
  });

  it("[Z7] turns that overlap are not charged twice", async () => {
    await using long = await openSession(server);
    await long.ask({ type: "prompt", message: "ask" });
    await long.state("waiting");
    await using short = await openSession(server);
    await turn(short, "say meanwhile");
    await short.until(() => short.session?.usage.cost_usd === 0.002);
    const [question] = long.session?.pending ?? [];
    long.send({ type: "extension_ui_response", id: question?.id, value: "allow_once" });
    await long.state("idle");
    await long.until(() => (long.session?.usage.cost_usd ?? 0) > 0);
    expect(long.session?.usage).toMatchObject({ cost_usd: 0.002, output: 10 });
  });

  it("[Z6] a stopped session is taken up again where it was", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
    expect(await turn(viewer, "recall")).toContain("say first");
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
  });
});
