// The local socket: the same sessions as on the page, in zeroclaw's words, for whoever may open the file.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EveryWorker, everyWorker, startEveryWorker } from "@patchbay/testing/every-worker";
import { LocalPeer } from "@patchbay/testing/local-peer";
import { promptFor } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attach, startActor } from "../../support/actor.ts";

const pathOf = (server: RunningServer): string => join(server.home, ".patchbay", "daemon.sock");
const newSession = async (peer: LocalPeer): Promise<string> =>
  String((await peer.ask("session/new"))["session_id"]);

/** What `session/list` says of one session. */
async function listed(peer: LocalPeer, session: string): Promise<unknown> {
  const { sessions } = await peer.ask("session/list");
  return (sessions as { session_id: string }[]).find((item) => item.session_id === session);
}

describe("the local socket", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startActor();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("[J1] is 0600 in a directory that is 0700, and whoever comes is logged with pid and uid", async () => {
    expect(statSync(pathOf(server)).mode & 0o777).toBe(0o600);
    expect(statSync(join(server.home, ".patchbay")).mode & 0o777).toBe(0o700);
    await using peer = await LocalPeer.at(pathOf(server));
    const isTold = () => server.stderr().includes("a program connected to the local socket");
    while (!isTold()) await new Promise((resolve) => server.process.stderr?.once("data", resolve));
    const line = server
      .stderr()
      .split("\n")
      .find((text) => text.includes("a program connected"));
    expect(JSON.parse(line ?? "").peer).toEqual(
      process.platform === "linux" ? { pid: process.pid, uid: process.getuid?.() } : "unknown",
    );
    await peer.ask("status"); // and it is still listened to
  });

  it("[J2] wants `initialize` first, in a version it knows; an unknown method is unknown even before", async () => {
    await using peer = new LocalPeer(pathOf(server));
    expect(await peer.refusal("status")).toEqual({
      code: -32010,
      message: "First call must be 'initialize'",
    });
    expect(await peer.refusal("session/prompt", { session_id: "x", prompt: "x" })).toMatchObject({
      code: -32010,
    });
    expect(await peer.refusal("no/such")).toMatchObject({ code: -32601 });
    expect(await peer.refusal("initialize", { protocol_version: 2 })).toEqual({
      code: -32011,
      message: "Protocol version mismatch: server=1, client=2",
    });
    const hello = await peer.ask("initialize", { protocol_version: 1 });
    expect(hello).toMatchObject({ protocol_version: 1, server_pid: server.process.pid });
    expect(hello["tui_id"]).toMatch(/^tui_[0-9a-f]{8}$/);
    expect(hello["capabilities"]).toContain("session/prompt");
    expect(await peer.ask("status")).toMatchObject({
      protocol_version: 1,
      active_sessions: 0,
      local_ipc_endpoint: pathOf(server),
    });
    expect(await peer.ask("initialize", { tui_id: hello["tui_id"] })).toMatchObject({
      tui_id: hello["tui_id"],
    });
  });

  it("[J3] a prompt streams updates, ends with `turn_complete` and then its answer; the page sees the same", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const session = await newSession(peer);
    await using viewer = await attach(server, session);
    const id = peer.call("session/prompt", { session_id: session, prompt: "say hello" });
    expect(await peer.answer(id)).toMatchObject({ result: {} });
    const types = peer.updates().map((update) => update["type"]);
    expect(types.slice(-3)).toEqual(["user_message_chunk", "agent_message_chunk", "turn_complete"]);
    expect(await peer.update("agent_message_chunk")).toMatchObject({ session_id: session, text: "hello" });
    expect(await peer.update("turn_complete")).toMatchObject({ outcome: "completed" });
    const place = (find: (line: LocalPeer["lines"][number]) => boolean) => peer.lines.findIndex(find);
    expect(place((line) => line.params?.["type"] === "turn_complete")).toBeLessThan(
      place((line) => line.id === id),
    );
    await viewer.until(() => viewer.transcript.messages.length === 2);

    // What is asked on the page is seen here.
    await viewer.ask({ type: "prompt", message: "say from the page" });
    await peer.until(() => peer.updates("turn_complete").length === 2);
    expect(peer.updates("user_message_chunk").at(-1)).toMatchObject({ text: "say from the page" });
    expect(
      await peer.ask("session/messages", { session_id: session, limit: 2, before_index: 3 }),
    ).toMatchObject({
      messages: [
        { role: "assistant", content: "hello" },
        { role: "user", content: "say from the page" },
      ],
      total: 4,
      start: 1,
    });
    expect(await listed(peer, session)).toMatchObject({ agent_alias: "actor", message_count: 4 });
    expect(await peer.ask("session/list", { query: "no such name" })).toEqual({ sessions: [] });
  });

  it("[J17] a program that comes in the middle of an answer is told the whole of it at its end", async () => {
    await using first = await LocalPeer.at(pathOf(server));
    const session = await newSession(first);
    const of = { session_id: session };
    const id = first.call("session/prompt", {
      ...of,
      prompt: `asking ${JSON.stringify([{ type: "text_delta", delta: "Before. " }])}`,
    });
    await first.update("approval_request");
    await using late = await LocalPeer.at(pathOf(server));
    await late.ask("session/new", of);
    await late.ask("session/approve", { ...of, request_id: "q1", decision: "allow_once" });
    await first.answer(id);
    const { content } = await late.update("turn_complete");
    expect(content).toMatch(/^Before\. answer: .*"confirmed":true/);
    expect(await first.update("turn_complete")).toMatchObject({ outcome: "completed", content });
    expect(late.updates("agent_message_chunk")).toHaveLength(1);
  });

  it("[J4] speaks the casing that `initialize` was said in, and understands both; tools' arguments stay theirs", async () => {
    await using peer = await LocalPeer.at(pathOf(server), { protocolVersion: 1 });
    const answer = await peer.ask("session/new", { agentAlias: "actor" });
    const session = String(answer["sessionId"]);
    expect(Object.keys(answer)).toEqual(["sessionId", "agentAlias", "messageCount", "workspaceDir"]);
    const frames = [
      { type: "tool_call", id: "t1", name: "bash", args: { some_arg: 1 } },
      { type: "tool_result", id: "t1", is_error: false, content: [{ type: "text", text: "done" }] },
    ];
    const raw = JSON.stringify(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
    await peer.ask("session/prompt", { session_id: session, prompt: `raw ${raw}` });
    expect(await peer.update("tool_call")).toMatchObject({
      sessionId: session,
      toolCallId: "t1",
      name: "bash",
      rawInput: { some_arg: 1 },
    });
    expect(await peer.update("tool_result")).toMatchObject({
      toolCallId: "t1",
      name: "bash",
      rawOutput: "done",
    });
  });

  it("[J5] cancel ends the turn as `cancelled`; without one it is refused", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const session = await newSession(peer);
    const of = { session_id: session };
    expect(await peer.refusal("session/cancel", of)).toMatchObject({ code: -32000 });
    const id = peer.call("session/prompt", { ...of, prompt: "hang" });
    await peer.update("agent_message_chunk");
    expect(await peer.ask("session/cancel", of)).toEqual({ ...of, cancelled: true });
    expect(await peer.answer(id)).toMatchObject({ result: {} });
    expect(await peer.update("turn_complete")).toMatchObject({ outcome: "cancelled" });
  });

  it("[J6] prompts while busy wait in the session's queue; one taken out of it on the page is answered so", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const session = await newSession(peer);
    const of = { session_id: session };
    await using viewer = await attach(server, session);
    const running = peer.call("session/prompt", { ...of, prompt: "hang" });
    await peer.update("agent_message_chunk");
    const removed = peer.call("session/prompt", { ...of, prompt: "say never" });
    const waiting = peer.call("session/prompt", { ...of, prompt: "say later" });
    const queue = () => viewer.lines.findLast((line) => line.type === "queue")?.["items"] as { id: string }[];
    await viewer.until(() => queue().length === 2);
    await viewer.ask({ type: "queue_remove", item: String(queue()[0]?.id) });
    expect((await peer.answer(removed)).error).toMatchObject({ code: -32603 });
    await peer.ask("session/cancel", of);
    expect(await peer.answer(running)).toMatchObject({ result: {} });
    expect(await peer.answer(waiting)).toMatchObject({ result: {} });
    expect(peer.updates("agent_message_chunk").map((update) => update["text"])).toEqual(["waiting", "later"]);
  });

  it("[J7] a question is an `approval_request`, answered by a decision; the page may be first", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const session = await newSession(peer);
    const of = { session_id: session };
    const id = peer.call("session/prompt", { ...of, prompt: "ask" });
    const asked = await peer.update("approval_request");
    expect(asked).toMatchObject({ request_id: "q1", method: "confirm", tool_name: "Sure?" });
    const decide = (decision: string) => ({ ...of, request_id: "q1", decision });
    expect(await peer.refusal("session/approve", decide("maybe"))).toMatchObject({ code: -32602 });
    expect(await peer.ask("session/approve", decide("allow_once"))).toEqual({
      ...of,
      request_id: "q1",
      acknowledged: true,
    });
    expect(await peer.answer(id)).toMatchObject({ result: {} });
    expect(await peer.update("approval_resolved")).toMatchObject({ request_id: "q1", by: "viewer" });
    expect(String(peer.updates("agent_message_chunk").at(-1)?.["text"])).toContain('"confirmed":true');
    expect(await peer.ask("session/approve", decide("reject"))).toMatchObject({ acknowledged: true });
  });

  it("[J8] a worker that dies ends the turn as `failed`, in words; close stops it and keeps the session", async () => {
    await using peer = await LocalPeer.at(pathOf(server));
    const session = await newSession(peer);
    const of = { session_id: session };
    const { error } = await peer.answer(peer.call("session/prompt", { ...of, prompt: "crash" }));
    expect(error).toMatchObject({ code: -32603 });
    expect(await peer.update("turn_complete")).toMatchObject({ outcome: "failed" });
    await peer.ask("session/prompt", { ...of, prompt: "say again" });
    expect(await peer.ask("session/close", of)).toEqual({ ...of, closed: true });
    expect(await listed(peer, session)).toMatchObject({ state: "stopped" });
    expect(await peer.ask("session/new", of)).toMatchObject({ session_id: session, message_count: 3 });
    await peer.ask("session/prompt", { ...of, prompt: "say once more" });
    await server.call("DELETE", `/api/sessions/${session}`);
    expect(await peer.refusal("session/prompt", { ...of, prompt: "say it" })).toMatchObject({ code: -32000 });
    expect(await peer.refusal("session/new", { agent_alias: "nobody" })).toMatchObject({ code: -32602 });
  });
});

describe("the local socket, with every worker", () => {
  let every: EveryWorker;
  const long = Array.from({ length: 10_000 }, (_, at) => String(at).padStart(6, "0")).join(" ");
  beforeAll(async () => {
    every = await startEveryWorker();
  });
  afterAll(() => every[Symbol.asyncDispose]());

  it.each(everyWorker)(
    "[J17] `turn_complete` has the whole last message of %s, also a long one",
    async (worker) => {
      const { server } = every;
      const text = join(server.home, "long.txt");
      writeFileSync(text, long);
      await using peer = await LocalPeer.at(pathOf(server));
      const { session_id } = await peer.ask("session/new", { agent_alias: worker });
      const steps = [{ say: ["I look first. "] }, { run: ["echo one"] }, { read: text, piece: 1024 }];
      await peer.ask("session/prompt", { session_id, prompt: promptFor(steps) });
      const { outcome, content } = await peer.update("turn_complete");
      expect(outcome).toBe("completed");
      expect(content === long).toBe(true);
    },
  );
});
