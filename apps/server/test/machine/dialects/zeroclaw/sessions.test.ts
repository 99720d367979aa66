// Our sessions at zeroclaw's daemon: closed properly, resumed by the right agent, and never more than are needed.
import { createServer } from "node:net";
import { LocalPeer } from "@patchbay/testing/local-peer";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { ZeroclawDaemon } from "@patchbay/testing/zeroclaw-daemon";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { WorkerSocket } from "../../../../src/machine/processes/worker-socket.ts";
import { attach, createSession, openSession } from "../../../support/actor.ts";
import { endSessions } from "../recorded.ts";
import { type Claw, startClaw, stop, turn, turns, turnThatWaits } from "./claw.ts";

describe("sessions at zeroclaw's daemon", () => {
  let claw: Claw;
  let daemon: ZeroclawDaemon;
  let server: RunningServer;
  beforeAll(async () => {
    claw = await startClaw();
    ({ daemon, server } = claw);
  });
  afterEach(async () => {
    await endSessions(server);
    expect([daemon.sessions.size, daemon.all.running]).toEqual([0, 0]);
  });
  afterAll(() => claw[Symbol.asyncDispose]());

  it("[Z8] a stop in mid-turn ends the turn at the daemon and closes the session; queued prompts keep waiting, and the memory is kept", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    await turnThatWaits(viewer, "hang");
    await viewer.ask({ type: "prompt", message: "say later" });
    await stop(server, viewer);
    expect([daemon.sessions.size, daemon.all.running]).toEqual([0, 0]);
    await viewer.until(() => turns(viewer).length === 2);
    expect(turns(viewer).at(-1)).toMatchObject({ stop: "aborted" });
    expect(viewer.session?.state).toBe("stopped");
    await viewer.ask({ type: "prompt", message: "recall" });
    await viewer.until(() => turns(viewer).length === 4);
    expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain("say first, hang, say later");
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
  });

  it("[Z8] a turn that takes long to end is closed afterwards, and a session that is deleted leaves nothing", async () => {
    await using slow = await openSession(server);
    await turnThatWaits(slow, "slow");
    await stop(server, slow);
    await using asking = await openSession(server);
    await asking.ask({ type: "prompt", message: "ask" });
    await asking.state("waiting");
    await server.call("DELETE", `/api/sessions/${String(asking.session?.id)}`);
    expect([daemon.sessions.size, daemon.all.running]).toEqual([0, 0]);
  });

  it("[Z8] the end of the server leaves nothing at the daemon", async () => {
    await using own = await startClaw();
    await using viewer = await openSession(own.server);
    await turnThatWaits(viewer, "hang");
    await own.server[Symbol.asyncDispose]();
    expect([own.daemon.sessions.size, own.daemon.all.running]).toEqual([0, 0]);
  });

  it("[Z8] a cleared session, and the session of another agent, is closed and not resumed", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    await viewer.ask({ type: "clear" });
    expect(daemon.sessions.size).toBe(0);
    await stop(server, viewer);
    expect(await turn(viewer, "recall")).not.toContain("say first");
    await viewer.ask({ type: "set_model", model: "writer" });
    expect(daemon.sessions.size).toBe(0);
    expect(await turn(viewer, "recall")).not.toContain("recall");
    expect([...daemon.sessions.values()]).toMatchObject([{ alias: "writer" }]);
  });

  it("[Z9] a turn that went on without us is ended before the session is opened again", async () => {
    await using viewer = await openSession(server);
    await turnThatWaits(viewer, "slow"); // ends only when a close waits for it
    const calls = daemon.calls.length;
    daemon.cut();
    expect(await turn(viewer, "recall")).toContain("slow");
    expect(daemon.all.running).toBe(0);
    const methods = daemon.calls.slice(calls).flatMap(({ method }) => (method === "$/probe" ? [] : [method]));
    expect(methods.slice(0, 4)).toEqual(["initialize", "session/cancel", "session/close", "session/new"]);
    expect(turns(viewer).map(({ stop: how }) => how)).toEqual(["error", "end"]);
  });

  it("[Z18] a daemon that came back with another key gets a new identity", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    const calls = daemon.calls.length;
    const { key } = daemon;
    daemon.key = Buffer.from("another key, as long as the first");
    daemon.cut();
    await daemon.called("session/new", calls);
    expect(await turn(viewer, "recall")).toContain("say first");
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
    daemon.key = key;
  });

  it("[Z18] viewers get a notice when it came back without its memory", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    daemon.all.loseAll();
    daemon.cut();
    await viewer.until(() => JSON.stringify(viewer.transcript.marks).includes("without its memory"));
    expect(await turn(viewer, "recall")).not.toContain("say first");
  });

  it.each(["writer", "zeroclaw/writer"])(
    "[Z10] the chosen model is the agent, also after a restart: %s",
    async (model) => {
      await using viewer = await openSession(server, { model });
      expect(viewer.session).toMatchObject({ provider: "zeroclaw", model: "writer" });
      await turn(viewer, "say first");
      expect([...daemon.sessions.values()]).toMatchObject([{ alias: "writer" }]);
      await stop(server, viewer);
      expect(await turn(viewer, "recall")).toContain("say first");
      expect(viewer.session).toMatchObject({ model: "writer" });
      expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
    },
  );

  it("[Z10] an agent that was chosen but not yet used is the one after a restart; it has no memory of the other's session", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say first");
    await viewer.ask({ type: "set_model", model: "writer" });
    await stop(server, viewer);
    expect(await turn(viewer, "recall")).not.toContain("say first");
    expect([...daemon.sessions.values()]).toMatchObject([{ alias: "writer" }]);
    expect(JSON.stringify(viewer.transcript.marks)).toContain("does not remember");
  });

  it("[Z10] one that the daemon lacks is refused in a sentence", async () => {
    await using viewer = await attach(server, await createSession(server, { model: "nobody" }));
    await viewer.state("failed");
    expect(viewer.session?.reason).toContain('The daemon has no agent "nobody". It has: coder, writer.');
  });

  it("[Z16] a daemon without room for a session is reported, and used when there is room", async () => {
    await using peer = await LocalPeer.at(daemon.path);
    const others = await Promise.all(
      Array.from({ length: 64 }, () =>
        peer.ask("session/new", { agent_alias: "coder", keep_siblings: true }),
      ),
    );
    await using viewer = await openSession(server);
    const refused = await viewer.ask({ type: "prompt", message: "say it" });
    expect(refused).toMatchObject({
      success: false,
      error: expect.stringContaining("limit of 64 sessions"),
    });
    for (const { session_id } of others) await peer.ask("session/close", { session_id });
    expect(await turn(viewer, "say it")).toContain("it.");
  });

  it("[Z19] a worker that is ended while it connects leaves no connection", async () => {
    const path = `${daemon.path}.other`;
    const listener = createServer();
    const closed = new Promise((resolve) => {
      listener.once("connection", (socket) => socket.resume().once("close", resolve));
    });
    await new Promise<void>((resolve) => listener.listen(path, resolve));
    const worker = new WorkerSocket({ path, maxLineBytes: 1024 }, () => undefined);
    await worker.stop();
    await closed;
    listener.close();
  });
});
