// zeroclaw behind the server: a scripted daemon that follows the protocol to the letter is the peer.
import type { RunningServer } from "@patchbay/testing/server-process";
import type { ZeroclawDaemon } from "@patchbay/testing/zeroclaw-daemon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { type Claw, startClaw, stop, turn, turns, turnThatWaits } from "./claw.ts";

describe("zeroclaw", () => {
  let claw: Claw;
  let daemon: ZeroclawDaemon;
  let server: RunningServer;
  beforeAll(async () => {
    claw = await startClaw();
    ({ daemon, server } = claw);
  });
  afterAll(() => claw[Symbol.asyncDispose]());

  it("[Z1] is offered where its socket is, and lists its agents; a missing one is reported with what to do", async () => {
    await using viewer = await openSession(server);
    expect(viewer.session).toMatchObject({ dialect: "zeroclaw", provider: "zeroclaw", model: "coder" });
    const { body } = await server.call("GET", "/api/workers");
    expect(JSON.stringify(body)).toContain(`No daemon at ${daemon.path}.absent. Start the daemon`);
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

  it("[Z2] text, thoughts, plan and the context stream; an answer that was not streamed is shown; a failure is reported", async () => {
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
    await turnThatWaits(viewer, "hang");
    await viewer.ask({ type: "prompt", message: "say later" });
    await viewer.ask({ type: "abort" });
    await viewer.until(() => JSON.stringify(viewer.transcript.messages).includes("later."));
    expect(viewer.transcript.marks.find((mark) => mark.kind === "turn")).toMatchObject({ stop: "aborted" });
  });

  it("[Z5] a connection that breaks is made again with its identity, and the session opened again; the turn is reported as lost", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say before");
    await turnThatWaits(viewer, "hang");
    const calls = daemon.calls.length;
    daemon.cut();
    await viewer.until(() =>
      JSON.stringify(viewer.transcript.marks).includes("connection to the daemon was lost"),
    );
    expect(await turn(viewer, "recall")).toContain("say before");
    const again = daemon.calls.slice(calls).find(({ method }) => method === "initialize");
    expect(again?.params["tui_id"]).toMatch(/^tui_/);
    expect(viewer.session?.state).toBe("idle");
  });

  it("[Z6] a stopped session is resumed where it was", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    await stop(server, viewer);
    expect(await turn(viewer, "recall")).toContain("say first");
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
  });

  it("[Z13] what the agent had to forget is shown", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "trim");
    expect(viewer.transcript.marks.find(({ kind }) => kind === "notice")).toMatchObject({
      source: "zeroclaw",
      text: "The agent no longer remembers its 12 oldest messages (context_limit); the last 3 turns are kept.",
    });
  });

  it("[Z14] a prompt that is longer than the daemon's lines is refused in a sentence and not sent", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say before");
    const images = ["a", "b", "c"].map((letter) => ({
      mime_type: "image/png",
      data: Buffer.alloc(3 * 1024 * 1024, letter).toString("base64"),
    }));
    const calls = daemon.calls.length;
    const refused = await viewer.ask({ type: "prompt", message: "look", images });
    expect(refused).toMatchObject({
      success: false,
      error: expect.stringContaining("zeroclaw accepts 8 MiB"),
    });
    expect(await viewer.ask({ type: "prompt", message: "look", images: images.slice(0, 1) })).toMatchObject({
      success: true,
    });
    await viewer.until(() => turns(viewer).length === 2 && viewer.session?.state === "idle");
    // The connection is still the first one.
    expect(daemon.calls.slice(calls).map(({ method }) => method)).not.toContain("initialize");
  });

  it("[Z15] a cancel that overtakes its prompt is repeated until the turn is over", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say before");
    const calls = daemon.calls.length;
    await viewer.ask({ type: "prompt", message: "late" });
    expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
    await viewer.until(() => turns(viewer).length === 2);
    expect(turns(viewer).at(-1)).toMatchObject({ stop: "aborted", error: null });
    const cancels = daemon.calls.slice(calls).filter(({ method }) => method === "session/cancel");
    expect(cancels.length).toBeGreaterThan(1);
  });
});
