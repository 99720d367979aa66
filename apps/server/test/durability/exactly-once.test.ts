// A prompt whose answer was lost with the server is sent again, as a page does: it runs once, wherever the
// server was with it. What waited still waits, and questions nobody can answer any more are closed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../support/actor.ts";
import { fileWritten, wholeLog } from "./observe.ts";

const key = "one-browser";
const prompt = { type: "prompt", id: "p1", message: "effect once" };

const effects = (server: RunningServer): string[] => {
  const path = join(server.cwd, "effects");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

const allow = (server: RunningServer, ...files: string[]): void => {
  for (const file of files) writeFileSync(join(server.cwd, file), "");
};

interface Queued {
  id: string;
  message: string;
  fate?: string;
}

const queueOf = (viewer: TestViewer): Queued[] =>
  (viewer.lines.findLast((line) => line.type === "queue")?.["items"] ?? []) as Queued[];

const said = (viewer: TestViewer): unknown[] =>
  viewer.transcript.messages
    .filter((message) => message.role === "user")
    .map((message) => (message.content[0] as { text?: string }).text);

async function restart(server: RunningServer, session: string): Promise<TestViewer> {
  await server.kill();
  await server.start();
  return attach(server, session, { viewer: key });
}

describe("exactly once, across kill -9 of the server", () => {
  it("[G10] a prompt that never reached the server runs when it is sent again", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const session = await createSession(server, { worker: "careful" });
    const lost = await attach(server, session, { viewer: key });
    await lost.state("idle");
    await server.kill();
    lost.send(prompt);
    await lost.untilClosed();
    await server.start();
    await using viewer = await attach(server, session, { viewer: key });
    expect((await viewer.ask(prompt)).data).toEqual({ started: true });
    await viewer.until(() => said(viewer).length === 1 && viewer.session?.state === "idle");
    expect(effects(server)).toEqual(["once"]);
  });

  it("[G11] a prompt that was accepted and waited for its worker is answered, waits again, and runs once", async () => {
    await using server = await startActor();
    const session = await createSession(server, { worker: "careful" });
    const lost = await attach(server, session, { viewer: key });
    lost.send(prompt);
    await lost.until(() => lost.session?.job === "prompt");
    await lost.ask({ type: "ping" });
    await using viewer = await restart(server, session);
    allow(server, "hello", "take");
    const again = await viewer.ask(prompt);
    expect(again.success).toBe(true);
    if (queueOf(viewer).length > 0) await viewer.ask({ type: "queue_resume" });
    await viewer.until(() => said(viewer).length === 1 && viewer.session?.state === "idle");
    expect(await viewer.ask(prompt)).toEqual(again);
    expect(effects(server)).toEqual(["once"]);
  });

  it("[G12] a prompt that the worker had been given and had not taken is set aside: it runs once, when a person says so", async () => {
    await using server = await startActor();
    allow(server, "hello");
    const session = await createSession(server, { worker: "careful" });
    const lost = await attach(server, session, { viewer: key });
    await lost.state("idle");
    lost.send(prompt);
    await lost.state("busy");
    await lost.ask({ type: "ping" });
    await using viewer = await restart(server, session);
    allow(server, "take");
    const again = await viewer.ask(prompt);
    expect(again.data).toEqual({ started: false, queued: true, fate: "unknown" });
    expect(queueOf(viewer)).toMatchObject([{ message: "effect once", fate: "unknown" }]);
    expect((await viewer.ask({ type: "queue_resume" })).success).toBe(false);
    await viewer.ask({ type: "prompt", message: "effect another" });
    await viewer.until(() => said(viewer).length === 1 && viewer.session?.state === "idle");
    expect(effects(server)).toEqual(["another"]);
    const [item] = queueOf(viewer);
    expect((await viewer.ask({ type: "queue_retry", item: item?.id })).success).toBe(true);
    await viewer.until(() => said(viewer).length === 2 && viewer.session?.state === "idle");
    expect(effects(server)).toEqual(["another", "once"]);
    expect(queueOf(viewer)).toEqual([]);
    expect((await viewer.ask({ type: "queue_retry", item: item?.id })).success).toBe(false);
  });

  it("[G17] a prompt that was answered started, and whose worker died before it showed it, never runs again by itself", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const session = await createSession(server, { worker: "careful" });
    await using viewer = await attach(server, session, { viewer: key });
    await viewer.state("idle");
    expect((await viewer.ask({ ...prompt, message: "vanish once" })).data).toEqual({ started: true });
    await viewer.until(() => queueOf(viewer).length === 1);
    expect(queueOf(viewer)).toMatchObject([{ message: "vanish once", fate: "unknown" }]);
    await viewer.ask({ type: "prompt", message: "effect next" });
    await viewer.until(() => said(viewer).length === 1 && viewer.session?.state === "idle");
    expect(effects(server)).toEqual(["once", "next"]);
    await using later = await restart(server, session);
    expect(queueOf(later)).toMatchObject([{ message: "vanish once", fate: "unknown" }]);
    expect((await later.ask({ type: "queue_remove", item: queueOf(later)[0]?.id })).success).toBe(true);
    await later.until(() => queueOf(later).length === 0);
    await later.ask({ type: "prompt", message: "effect last" });
    await later.until(() => said(later).length === 2 && later.session?.state === "idle");
    expect(effects(server)).toEqual(["once", "next", "last"]);
  });

  it("[G13] a prompt that had started is answered the same, and does not run again", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const session = await createSession(server, { worker: "careful" });
    const lost = await attach(server, session, { viewer: key });
    await lost.state("idle");
    lost.send({ ...prompt, message: "effect forever" });
    await fileWritten(join(server.cwd, "effects"));
    await lost.until(() => said(lost).length === 1);
    await using viewer = await restart(server, session);
    expect((await viewer.ask({ ...prompt, message: "effect forever" })).data).toEqual({ started: true });
    expect(queueOf(viewer)).toEqual([]);
    expect(effects(server)).toEqual(["forever"]);
    expect(viewer.transcript.marks).toContainEqual(expect.objectContaining({ stop: "interrupted" }));
    expect(
      (await wholeLog(server, session)).filter((frame) => frame.includes('"user_message"')),
    ).toHaveLength(1);
  });

  it("[G14] waiting prompts survive in order, are shown and can be edited, and run when told to", async () => {
    await using server = await startActor();
    const first = await openSession(server);
    const session = String(first.session?.id);
    await first.ask({ type: "prompt", message: "hang" });
    await first.until(() => said(first).length === 1); // a prompt that the log does not show would wait again
    for (const message of ["say one", "say two", "say three", "say four"])
      expect((await first.ask({ type: "prompt", message })).data).toEqual({ started: false, queued: true });
    await using viewer = await restart(server, session);
    await viewer.until(() => queueOf(viewer).length === 4);
    const [one, , , four] = queueOf(viewer);
    await viewer.ask({ type: "queue_remove", item: one?.id });
    await viewer.ask({ type: "queue_move", item: four?.id, to: 0 });
    await using later = await restart(server, session);
    await later.until(() => queueOf(later).length === 3);
    expect(queueOf(later).map((item) => item.message)).toEqual(["say four", "say two", "say three"]);
    expect(later.session?.state).toBe("stopped");
    expect((await later.ask({ type: "queue_resume" })).success).toBe(true);
    await later.until(() => said(later).length === 4 && later.session?.state === "idle");
    expect(said(later)).toEqual(["hang", "say four", "say two", "say three"]);
  });

  it("[G19] a waiting prompt that is stopped while its worker starts waits again, and runs when it is wanted", async () => {
    await using server = await startActor();
    const first = await openSession(server);
    await first.ask({ type: "prompt", message: "hang" });
    await first.until(() => said(first).length === 1); // a prompt that the log does not show would wait again
    for (const message of ["say one", "say two"]) await first.ask({ type: "prompt", message });
    await using viewer = await restart(server, String(first.session?.id));
    await viewer.until(() => queueOf(viewer).length === 2);
    viewer.send({ type: "queue_resume" });
    await viewer.ask({ type: "abort" }); // read before the worker is there
    await viewer.until(() => queueOf(viewer).length === 2 && viewer.session?.state === "idle");
    expect(queueOf(viewer).map((item) => item.message)).toEqual(["say one", "say two"]);
    expect(said(viewer)).toEqual(["hang"]);
    expect((await viewer.ask({ type: "queue_resume" })).success).toBe(true);
    await viewer.until(() => said(viewer).length === 3 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["hang", "say one", "say two"]);
  });

  it("[G15] waiting prompts run before the next prompt", async () => {
    await using server = await startActor();
    const first = await openSession(server);
    await first.ask({ type: "prompt", message: "hang" });
    await first.until(() => said(first).length === 1); // a prompt that the log does not show would wait again
    await first.ask({ type: "prompt", message: "say waited" });
    await using viewer = await restart(server, String(first.session?.id));
    await viewer.ask({ type: "prompt", message: "say next" });
    await viewer.until(() => said(viewer).length === 3 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["hang", "say waited", "say next"]);
  });

  it("[G16] a question that was open is resolved as worker_exit, and the session does not wait", async () => {
    await using server = await startActor();
    const first = await openSession(server);
    await first.ask({ type: "prompt", message: "ask" });
    await first.state("waiting");
    await first.ask({ type: "ping" });
    await using viewer = await restart(server, String(first.session?.id));
    expect(viewer.session).toMatchObject({ state: "stopped", pending: [] });
    const log = (await wholeLog(server, String(first.session?.id))).map(
      (frame) => JSON.parse(frame) as Record<string, unknown>,
    );
    expect(log.filter((frame) => frame["type"] === "ui_resolved")).toMatchObject([
      { id: "q1", by: "worker_exit", cancelled: true },
    ]);
    viewer.send({ type: "extension_ui_response", id: "q1", confirmed: true });
    await viewer.line((line) => line.type === "response" && String(line["error"]).includes("no longer open"));
  });
});
