// Attach = replay or snapshot: whatever a viewer missed, it ends with the same view as everybody else.
import { messageText } from "@patchbay/protocol";
import { memoryOf } from "@patchbay/testing/processes";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor, useSharedActor } from "../../support/actor.ts";

describe("attach", () => {
  it("[A1] the first line is `attached` with the session and the newest number", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    expect(viewer.lines[0]).toMatchObject({
      type: "attached",
      verdict: "snapshot",
      session: { worker: "actor" },
    });
    expect(viewer.lines[1]).toMatchObject({ type: "snapshot" });
  });

  it("[A2] from every cut point, replay gives each missing frame once and in order", async () => {
    await using server = await useSharedActor();
    await using first = await openSession(server);
    const session = String(first.session?.id);
    await first.ask({ type: "prompt", message: "flood 25 60" });
    await first.state("idle");
    await using whole = await attach(server, session, { since: 0 });
    expect(whole.lines[0]).toMatchObject({ verdict: "replay", seq: first.seq });
    for (let since = 0; since <= first.seq; since += 3) {
      await using viewer = await attach(server, session, { since });
      expect(viewer.frames).toEqual(whole.frames.slice(since));
      expect(viewer.lines.find((line) => line.type === "caught_up")).toMatchObject({ seq: first.seq });
    }
  });

  it("[A3] a snapshot in the middle of an answer plus what follows equals the whole stream", async () => {
    await using server = await useSharedActor();
    await using first = await openSession(server);
    const session = String(first.session?.id);
    await using watcher = await attach(server, session, { since: 0 });
    await first.ask({ type: "prompt", message: "hang" });
    await first.until(() => first.transcript.partial?.content.length === 1);
    await using late = await attach(server, session);
    expect(late.transcript.partial?.content).toEqual([{ type: "text", text: "waiting" }]);
    await first.ask({ type: "abort" });
    for (const viewer of [first, watcher, late]) await viewer.state("idle");
    expect(late.transcript).toEqual(watcher.transcript);
    expect(first.transcript).toEqual(watcher.transcript);
  });

  it("[A4] a viewer ahead of the log, or with a `since` that is no number, gets a snapshot", async () => {
    await using server = await useSharedActor();
    const session = await createSession(server);
    await using ahead = await attach(server, session, { since: 1_000_000 });
    expect(ahead.lines[0]).toMatchObject({ verdict: "snapshot" });
    await using lost = await attach(server, session, { since: Number.NaN });
    expect(lost.lines[0]).toMatchObject({ verdict: "snapshot" });
  });

  it("[A5] when finished turns have left the log, an old `since` gets a snapshot", async () => {
    await using server = await startActor({ limits: { replay_bytes: 1_000 } });
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    const turns = () => viewer.frames.filter((frame) => frame === '{"type":"done"}').length;
    const turn = async (): Promise<void> => {
      const before = turns();
      await viewer.ask({ type: "prompt", message: "flood 100 60" });
      await viewer.until(() => turns() > before);
    };
    await turn();
    // Old turns are settled in the background: until then, they can still be replayed.
    for (let verdict: unknown = "replay"; verdict !== "snapshot"; ) {
      await turn();
      await using old = await attach(server, session, { since: 3 });
      verdict = old.lines[0]?.["verdict"];
      if (verdict === "snapshot") expect(old.transcript).toEqual(viewer.transcript);
    }
    await using recent = await attach(server, session, { since: viewer.seq - 2 });
    expect(recent.lines[0]).toMatchObject({ verdict: "replay" });
  });

  it("[A18] a long answer that no message settles is still shown when its deltas have left the log", async () => {
    await using server = await startActor({ limits: { replay_bytes: 200_000 } });
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    viewer.countOnly();
    for (const frames of [60_000, 5_000, 5_000, 5_000]) {
      const from = viewer.seq;
      await viewer.ask({ type: "prompt", message: `flood ${frames} 60` });
      await viewer.until(() => viewer.seq >= from + frames && viewer.session?.state === "idle");
    }
    await using late = await attach(server, session);
    expect(late.lines[0]).toMatchObject({ type: "attached", verdict: "snapshot" });
    const [answer = ""] = late.transcript.messages
      .filter(({ role }) => role === "assistant")
      .map(messageText);
    expect(answer.match(/\d+ /g)).toHaveLength(60_000);
  });

  it("[A19] attaching more often than limits.attaches_per_minute is refused, for that session only", async () => {
    await using server = await startActor({ limits: { attaches_per_minute: 3 } });
    const [session, other] = [await createSession(server), await createSession(server)];
    for (let count = 0; count < 3; count++) await (await attach(server, session)).close();
    await using refused = new TestViewer(server.url, server.token, session);
    expect(await refused.untilClosed()).toMatchObject({ code: 1013 });
    await (await attach(server, other)).close();
  });

  it("[A6] two viewers see the same frames with the same numbers, and each other", async () => {
    await using server = await useSharedActor();
    await using one = await openSession(server);
    await using two = await attach(server, String(one.session?.id));
    await one.line((line) => line.type === "presence" && line["viewers"] === 2);
    const start = one.seq;
    expect(two.seq).toBe(start);
    await two.ask({ type: "prompt", message: "say hello" });
    for (const viewer of [one, two]) await viewer.until(() => viewer.frames.at(-1) === '{"type":"done"}');
    expect(one.frames.slice(-6)).toEqual(two.frames.slice(-6));
    expect(one.seq).toBe(two.seq);
    await two.close();
    await one.until(() => one.lines.at(-1)?.["viewers"] === 1);
  });

  it("[A7] a viewer that does not read costs a bounded buffer and delays nobody; later it has everything", async () => {
    await using server = await startActor({
      limits: { viewer_buffer_bytes: 100_000, replay_bytes: 100_000_000 },
    });
    await using fast = await openSession(server);
    await using slow = await attach(server, String(fast.session?.id), { since: 0 });
    slow.pause();
    fast.countOnly();
    slow.countOnly();
    await fast.ask({ type: "prompt", message: "flood 400000 100" }); // 40 MB
    await fast.state("busy");
    await fast.state("idle");
    slow.resume();
    await slow.until(() => slow.seq === fast.seq);
    expect(slow.closed).toBeUndefined();
  });

  it("[A8] a viewer that takes nothing at all is let go with 4408", async () => {
    await using server = await startActor({ limits: { viewer_buffer_bytes: 100_000, viewer_stall_ms: 300 } });
    await using fast = await openSession(server);
    await using stuck = await attach(server, String(fast.session?.id), { since: 0 });
    stuck.pause();
    fast.countOnly();
    stuck.countOnly();
    await fast.ask({ type: "prompt", message: "flood 400000 100" });
    await fast.state("busy");
    await fast.state("idle");
    await fast.line((line) => line.type === "presence" && line["viewers"] === 1);
    stuck.resume();
    expect([4408, 1006]).toContain((await stuck.untilClosed()).code);
  });

  it("[A11] a viewer that asks and does not read is not listened to until it reads", async () => {
    await using server = await startActor({ limits: { viewer_buffer_bytes: 100_000 } });
    await using viewer = await openSession(server);
    const pid = server.process.pid ?? 0;
    const idle = memoryOf(pid).now;
    viewer.pause();
    const unknown = "x".repeat(100_000);
    const count = 800; // 80 MB of questions, 160 MB of answers
    for (let asked = 0; asked < count; asked++) viewer.send({ type: unknown, id: String(asked) });
    await using other = await attach(server, String(viewer.session?.id));
    expect((await other.ask({ type: "prompt", message: "say hi" })).success).toBe(true);
    viewer.resume();
    await viewer.line((line) => line.type === "response" && line["id"] === String(count - 1));
    expect(memoryOf(pid).peak - idle).toBeLessThan(64 * 1024 * 1024);
  });

  it("[A12] a viewer is sent one whole transcript at a time", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.send('{"type":"get_messages","id":"first"}\n{"type":"get_messages","id":"second"}\n');
    const second = await viewer.line((line) => line.type === "response" && line["id"] === "second");
    expect(second).toMatchObject({ success: false, error: expect.stringContaining("still being sent") });
    await viewer.line((line) => line["id"] === "first" && line["success"] === true);
    expect((await viewer.ask({ type: "get_messages" })).success).toBe(true);
  });

  it("[A9] an unknown session closes with 4404", async () => {
    await using server = await useSharedActor();
    const { TestViewer } = await import("@patchbay/testing/socket-client");
    const viewer = new TestViewer(server.url, server.token, "nope");
    expect((await viewer.untilClosed()).code).toBe(4404);
  });

  it("[A10] deleting a session closes its viewers with 4410, stopping the server with 1001", async () => {
    await using server = await startActor();
    await using deleted = await openSession(server);
    await using kept = await openSession(server);
    expect((await server.call("DELETE", `/api/sessions/${String(deleted.session?.id)}`)).status).toBe(204);
    expect((await deleted.untilClosed()).code).toBe(4410);
    server.process.kill("SIGTERM");
    expect((await kept.untilClosed()).code).toBe(1001);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});
