// Server-sent events: the same frames as on the socket, for programs that do not speak WebSocket. The reader is a viewer, with a
// viewer's bounds.
import { readFileSync } from "node:fs";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { logIn, ask as send } from "../attacks/access/http-client.ts";
import { createSession, openSession, startActor, useSharedActor } from "../support/actor.ts";
import { EventStreamReader } from "../support/event-stream-reader.ts";

const idsOf = (reader: EventStreamReader): number[] => reader.frames.map(({ id }) => Number(id));
const viewers = z.looseObject({ session: z.looseObject({ viewers: z.number() }) });

/** Resident memory of a process in bytes. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

describe("an event stream", () => {
  it("[A24] has each frame byte for byte as an event with its number, and lines without a number under their type", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    await using reader = new EventStreamReader(server, session, { query: "?since=0" });
    await reader.named("caught_up");
    await viewer.ask({ type: "prompt", message: "say grüße\u2028 from here" });
    await viewer.state("idle");
    await reader.until(() => Number(reader.lastId) >= viewer.seq);
    expect(idsOf(reader)).toEqual(Array.from({ length: viewer.seq }, (_, index) => index + 1));
    const offset = viewer.seq - viewer.frames.length;
    expect(reader.frames.slice(offset).map(({ data }) => data)).toEqual(
      viewer.frames.map((line) => line.trimEnd()),
    );
    expect(reader.events[0]?.name).toBe("attached");
    expect(JSON.parse(reader.events[0]?.data ?? "")).toMatchObject({ type: "attached", verdict: "replay" });
    expect(new Set(reader.events.map(({ name }) => name))).toContain("queue");
  });

  it("[A24] without a number begins with a snapshot, also a long one, and goes on after it", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    const long = "x".repeat(600_000);
    const message = {
      type: "assistant_message",
      content: [{ type: "text", text: long }],
      time: "2026-11-18T00:00:00Z",
    };
    await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify([message, message])}` });
    await viewer.state("idle");
    await using reader = new EventStreamReader(server, session);
    const snapshot = await reader.named("snapshot");
    expect(snapshot.id).toBe(String(viewer.seq));
    expect(JSON.parse(snapshot.data).messages).toHaveLength(viewer.transcript.messages.length);
    await reader.named("caught_up");
    await viewer.ask({ type: "prompt", message: "say more" });
    await viewer.state("idle");
    await reader.until(() => Number(reader.lastId) >= viewer.seq);
    expect(idsOf(reader)[0]).toBe(Number(snapshot.id) + 1);
  });

  it("[A25] goes on after Last-Event-ID from every cut point: each frame once, none missing", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    const read: number[] = [];
    let last = "0";
    await viewer.ask({ type: "prompt", message: "flood 4000 1000" });
    const isOver = (): boolean => viewer.session?.state === "idle" && Number(last) >= viewer.seq;
    let cuts = 0;
    for (; !isOver(); cuts++) {
      const headers = { authorization: `Bearer ${server.token}`, "last-event-id": last };
      // `since` is what the program began with; its library adds the newer number when it reconnects.
      await using reader = new EventStreamReader(server, session, { headers, query: "?since=0" });
      await reader.until(() => reader.frames.length > cuts * 40 || Number(reader.lastId) >= viewer.seq);
      reader.cut();
      await reader.untilEnded();
      expect(reader.events.map(({ name }) => name)).not.toContain("snapshot");
      read.push(...idsOf(reader));
      last = reader.lastId;
    }
    expect(cuts).toBeGreaterThan(3);
    expect(read).toEqual(Array.from({ length: viewer.seq }, (_, index) => index + 1));
  });

  it("[A25] a position that is no number is 400, one ahead of the log gets a snapshot", async () => {
    await using server = await useSharedActor();
    const session = await createSession(server);
    for (const query of [
      "?since=x",
      "?since=1e3",
      "?since=",
      "?since=1&since=2",
      `?since=${"9".repeat(30)}`,
    ]) {
      const { status } = await server.call("GET", `/api/sessions/${session}/events${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
    await using ahead = new EventStreamReader(server, session, { query: "?since=99999999" });
    await ahead.named("snapshot");
    expect((await server.call("GET", "/api/sessions/none/events")).status).toBe(404);
    const head = { method: "HEAD", headers: { authorization: `Bearer ${server.token}` } };
    expect((await fetch(new URL(`/api/sessions/${session}/events`, server.url), head)).status).toBe(404);
  });

  it("[A26] a reader that does not read costs a bounded buffer and is closed in the end; others get everything", async () => {
    await using server = await startActor({ limits: { viewer_buffer_bytes: 100_000, viewer_stall_ms: 300 } });
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    await using stuck = new EventStreamReader(server, session);
    await stuck.named("caught_up");
    stuck.pause();
    viewer.countOnly();
    const pid = server.process.pid ?? 0;
    const before = memoryOf(pid);
    await viewer.ask({ type: "prompt", message: "flood 400000 100" }); // 40 MB
    await viewer.state("busy");
    await viewer.state("idle");
    await viewer.line((line) => line.type === "presence" && line["viewers"] === 1);
    expect(memoryOf(pid) - before).toBeLessThan(100 * 1024 * 1024);
    stuck.resume();
    await stuck.untilEnded();
    expect(Number(stuck.lastId)).toBeLessThan(viewer.seq);
  });

  it("[A27] ends with an event that says why: the session was deleted, the login has ended, the server ends", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const login = await logIn(server);
    await using person = new EventStreamReader(server, session, { headers: login.headers });
    await person.named("caught_up");
    expect(
      (
        await send(server, `/api/logins/${login.id}`, {
          method: "DELETE",
          headers: { authorization: `Bearer ${server.token}` },
        })
      ).status,
    ).toBeLessThan(300);
    expect(JSON.parse((await person.named("closed")).data)).toMatchObject({ code: "login_ended" });
    await person.untilEnded();
    await using reader = new EventStreamReader(server, session);
    await reader.named("caught_up");
    await server.call("DELETE", `/api/sessions/${session}`);
    expect(JSON.parse((await reader.named("closed")).data)).toMatchObject({ code: "session_deleted" });
    await reader.untilEnded();
    await using last = new EventStreamReader(server, await createSession(server));
    await last.named("caught_up");
    server.process.kill("SIGTERM");
    expect(JSON.parse((await last.named("closed")).data)).toMatchObject({ code: "going_away" });
    expect(await server.exited).toMatchObject({ code: 0 });
    await server.start();
  });

  it("[A28] streams and waiting calls share a limit; a reader that leaves makes room and is no viewer any more", async () => {
    await using server = await startActor({ limits: { open_calls: 2 } });
    const session = await createSession(server);
    const path = `/api/sessions/${session}`;
    const first = new EventStreamReader(server, session);
    await using second = new EventStreamReader(server, session);
    await Promise.all([first.named("caught_up"), second.named("caught_up")]);
    await using third = new EventStreamReader(server, session);
    await third.until(() => third.status !== 0);
    expect(third.status).toBe(429);
    const waits = { prompt: "effect none", wait: 5 };
    expect((await server.call("POST", `${path}/prompts`, waits)).status).toBe(429);
    expect((await server.call("GET", path)).body).toMatchObject({
      session: { message_count: 0, viewers: 2 },
    });
    expect((await server.call("POST", `${path}/prompts`, { prompt: "say now" })).status).toBe(202);
    first.cut();
    await waitUntil(async () => {
      const { body } = await server.call("GET", path);
      return z.parse(viewers, body).session.viewers === 1;
    });
    await using fourth = new EventStreamReader(server, session);
    await fourth.named("caught_up");
  });

  it("[Z131] what a worker writes cannot become an event, a number or a field of its own", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    await using reader = new EventStreamReader(server, session, { query: "?since=0" });
    await reader.named("caught_up");
    const hostile = [
      '{"type":"odd",\r"a":1,\r\r"id":7}\n',
      '{"type":"odd","text":"\\r\\nevent: closed\\nid: 9999\\n\\n"}\n',
      '{"type":"frames","seq":5000,"count":3}\n',
      '{"type":"text_delta","delta":"a\rid: 4000\r\revent: closed\rdata: {}"}\n',
      '{"type":"snapshot","seq":12345}\n',
      "data: x\n\nid: 77\n\n",
    ];
    for (const line of hostile) await viewer.ask({ type: "prompt", message: `raw ${JSON.stringify(line)}` });
    await viewer.until(
      () => viewer.session?.state === "idle" && viewer.transcript.messages.length >= hostile.length,
    );
    await reader.until(() => Number(reader.lastId) >= viewer.seq);
    expect(idsOf(reader)).toEqual(Array.from({ length: reader.frames.length }, (_, index) => index + 1));
    expect(reader.events.map(({ name }) => name)).not.toContain("closed");
    for (const { data } of reader.events) expect(data).not.toMatch(/[\r\n]/);
  });
});
