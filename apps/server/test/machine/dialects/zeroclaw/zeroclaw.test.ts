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
    await turn(viewer, "break");
    const error = "turn failed: the provider went away";
    expect(turns(viewer).at(-1)).toMatchObject({ stop: "error", error });
  });

  it("[Z403] a failure without a cause is reported with the one that the daemon's log has for this session", async () => {
    await using viewer = await openSession(server);
    daemon.log.unshift({
      "@timestamp": new Date(Date.now() + 60_000).toISOString(),
      zeroclaw: { session_key: "another session" },
      attributes: { error: "a cause of somebody else's" },
    });
    await turn(viewer, "fail");
    const error = "turn failed: 401 Unauthorized: wrong key";
    expect(turns(viewer).at(-1)).toMatchObject({ stop: "error", error });
  });

  it("[Z400] without a named agent none is taken by its position: a person chooses one first", async () => {
    await using viewer = await openSession(server, { worker: "unnamed" });
    expect(viewer.session).toMatchObject({ provider: "zeroclaw", model: "" });
    const refused = await viewer.ask({ type: "prompt", message: "say it" });
    expect(refused).toMatchObject({
      success: false,
      error: expect.stringContaining("Choose an agent first: the daemon has coder, writer"),
    });
    await viewer.ask({ type: "set_model", model: "writer" });
    expect(await turn(viewer, "say it")).toContain("it.");
    expect([...daemon.sessions.values()].at(-1)).toMatchObject({ alias: "writer" });
    await stop(server, viewer);
    expect(await turn(viewer, "recall")).toContain("say it");
    expect(viewer.session?.model).toBe("writer");
  });

  it("[Z401] a call that waits for a person is shown as that; a denial is an error, and its reason reaches the model", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "ask" });
    await viewer.state("waiting");
    const [question] = viewer.session?.pending ?? [];
    expect(question?.["message"]).toBe("command: make deploy"); // without the daemon's own `approved`
    const rows = viewer.transcript.partial?.tools ?? [];
    expect(rows.map(({ id }) => id)).toEqual([question?.["call_id"]]);
    viewer.send({ type: "extension_ui_response", id: question?.id, value: "reject", reason: "Not today." });
    await viewer.state("idle");
    const results = viewer.transcript.messages.flatMap(({ content }) =>
      content.filter((block) => block.type === "tool_result"),
    );
    expect(results).toMatchObject([
      { call_id: question?.["call_id"], is_error: true, content: [{ text: "Denied by user. Not today." }] },
    ]);
    const frames = viewer.frames.filter((frame) => frame.includes('"tool_call"'));
    expect(frames.at(0)).toContain('"args":{"command":"make deploy"}');
  });

  it("[Z402] the context window, the cached part of a prompt and the model behind the agent are known", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say it");
    const usage = viewer.frames.map((frame) => JSON.parse(frame)).find(({ type }) => type === "usage");
    expect(usage).toMatchObject({ model: "fake-chat", input: 200, cache_read: 1000, output: 10 });
    expect((await viewer.ask({ type: "get_state" })).data).toMatchObject({ context_window: 128_000 });
  });

  it("[Z404] a stop with an open approval does not wait for the daemon to give up", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "ask" });
    await viewer.state("waiting");
    const before = performance.now();
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 1);
    expect(performance.now() - before).toBeLessThan(4_000); // the daemon would take 5 s
    expect(turns(viewer)).toMatchObject([{ stop: "aborted", error: null }]);
    // The call is still there, with its command and without an output.
    const [, answer, results] = viewer.transcript.messages;
    expect(answer?.content).toMatchObject([{ name: "bash", args: { command: "make deploy" } }]);
    expect(results?.content).toMatchObject([{ is_error: true, content: [] }]);
  });

  it("[Z405] a question of the agent's own is answered by a person; a daemon that could not read the answer is not offered one", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "choose" });
    await viewer.state("waiting");
    const [question] = viewer.session?.pending ?? [];
    expect(question).toMatchObject({ method: "select", message: "Which branch?" });
    viewer.send({ type: "extension_ui_response", id: question?.id, value: "choice-1" });
    await viewer.state("idle");
    expect(JSON.stringify(viewer.transcript.messages)).toContain('\\"choice\\":\\"choice-1\\"');
    daemon.understandsResponses = false;
    await using other = await openSession(server);
    await turn(other, "choose");
    daemon.understandsResponses = true;
    expect(JSON.stringify(other.transcript.messages)).toContain("did not complete the structured choice");
  });

  it("[Z406] a prompt to a daemon that has just ended is held until it is back", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say before");
    await daemon.close();
    const answered = viewer.ask({ type: "prompt", message: "recall" });
    await daemon.listen();
    expect(await answered).toMatchObject({ success: true });
    await viewer.until(() => turns(viewer).length === 2 && viewer.session?.state === "idle");
    expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain("say before");
    expect(turns(viewer).at(-1)).toMatchObject({ stop: "end", error: null });
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
