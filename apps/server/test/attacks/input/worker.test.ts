// What a worker can write: nothing of it ends the server, blocks it, or spoils a home; the session goes on, and others notice
// nothing. Each attempt is made by a real process (testing/workers/hostile.mjs) against a real server.
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { Watchdog } from "@patchbay/testing/watchdog";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actorConfig, attach, openSession, startActor } from "../../support/actor.ts";

/** Longer than this nobody may be kept waiting, whatever one session does. */

const watchdog = new Watchdog();
let server: RunningServer;
let bystander: TestViewer;
beforeAll(async () => {
  server = await startServer({ config: actorConfig(), ...watchdog.options });
  bystander = await openSession(server, { worker: "actor" });
});
afterAll(async () => {
  await bystander[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** Another session, which must notice nothing. */
async function othersAreServed(): Promise<void> {
  const before = bystander.transcript.messages.length;
  expect((await bystander.ask({ type: "prompt", message: "say fine" })).success).toBe(true);
  await bystander.until(
    () => bystander.session?.state === "idle" && bystander.transcript.messages.length > before,
  );
  expect((await server.call("GET", "/api/sessions")).status).toBe(200);
  expect((await server.call("GET", "/metrics")).status).toBe(200);
}

/** The session can be used, and whoever comes now sees the same. */
async function goesOn(viewer: TestViewer): Promise<void> {
  const ended = viewer.transcript.marks.filter(({ kind }) => kind === "turn").length;
  for (const question of viewer.session?.pending ?? [])
    viewer.send({ type: "extension_ui_response", id: question.id, cancelled: true });
  expect((await viewer.ask({ type: "prompt", message: "say still here" })).success).toBe(true);
  await viewer.until(() => viewer.transcript.marks.filter(({ kind }) => kind === "turn").length > ended);
  await using late = await attach(server, String(viewer.session?.id));
  expect(JSON.stringify(late.transcript.messages.at(-1))).toContain("still here");
}

/** Makes the attempt in a session of its own, under the watchdog. */
async function attempt(name: string, times = 1): Promise<TestViewer> {
  watchdog.longestBlock(); // what was before
  const viewer = await openSession(server, { worker: "hostile" });
  await viewer.ask({ type: "prompt", message: `attempt ${name} ${times}` });
  await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "turn"));
  await othersAreServed();
  expect(watchdog.excessiveBlock()).toBeUndefined();
  return viewer;
}

describe("a worker's lines", () => {
  it.each([
    ["a question nested 5,000 deep", "deepQuestion"],
    ["timeouts longer than a timer", "longTimeouts"],
    ["timeouts that are none", "badTimeouts"],
    ["300 questions of 50 KB", "manyQuestions"],
    ["a frame nested 20,000 deep", "deepFrame"],
    ["a delta nested 20,000 deep", "deepDelta"],
    ["arguments nested 20,000 deep", "deepArguments"],
    ["names of a million letters", "longNames"],
    ["times that are none", "badTimes"],
    ["15 MB of spaces in one line", "spaces"],
    ["15 MB of escapes in one line", "escapes"],
    ["15 MB outside of ASCII in one line", "umlauts"],
    ["7.5 million values in one line", "manyValues"],
    ["a million unreadable blocks in one message", "manyBlocks"],
    ["60,000 frames that say nothing", "smallFrames"],
    ["30,000 notices", "notices"],
    ["20,000 errors", "errors"],
    ["30,000 tool calls that never end", "tools"],
    ["100,000 deltas of alternating kinds", "alternating"],
    ["20,000 commands of a person", "commands"],
    ["3,000 branches", "branches"],
    ["20,000 messages in one turn", "messages"],
    ["names of an object's own parts", "prototypes"],
    ["lone surrogates, NULs and control characters", "badText"],
    ["10,000 responses nobody asked for", "responses"],
  ])("[Z101] %s: the server serves everybody within 250 ms, and the session goes on", async (_what, name) => {
    await using viewer = await attempt(name);
    await goesOn(viewer);
    expect(Object.prototype).not.toHaveProperty("polluted");
    const text = JSON.stringify((await server.call("GET", "/api/sessions")).body);
    expect(text.length).toBeLessThan(5_000_000);
  });

  it("[Z101] a question with a timeout longer than a timer waits for its answer", async () => {
    await using viewer = await attempt("longTimeouts");
    await viewer.until(() => viewer.session?.pending.length === 3);
    for (const question of viewer.session?.pending ?? []) expect(question).not.toHaveProperty("expires_at");
  });

  it("[Z102] a line over the limit ends its worker, and only it", async () => {
    await using viewer = await openSession(server, { worker: "hostile" });
    await viewer.ask({ type: "prompt", message: "attempt tooLong" });
    await viewer.state("failed");
    expect(viewer.session?.reason).toContain("a line that is too long");
    await othersAreServed();
    await goesOn(viewer);
  });

  it("[Z102] a worker that reads nothing is ended when too much waits for it", async () => {
    await using viewer = await openSession(server, { worker: "hostile" });
    await viewer.ask({ type: "prompt", message: "deaf" });
    await viewer.until(() => viewer.transcript.partial !== null);
    for (let round = 0; round < 20 && viewer.session?.state !== "failed"; round++)
      viewer.send({ type: "run_command", name: "x", args: "y".repeat(8_000_000) });
    await viewer.state("failed");
    expect(viewer.session?.reason).toContain("does not read");
    await othersAreServed();
  });

  it("[Z103] bytes of every kind, whole and torn", async () => {
    await using viewer = await openSession(server, { worker: "hostile" });
    for (const hex of [
      "00",
      "ff",
      "fe0a",
      "c328",
      "eda0800a",
      "0a0a0a",
      "7b7d0a",
      "5b5d0a",
      "220a",
      "31650a",
      "7b2274797065223a317d0a",
    ])
      await viewer.ask({ type: "prompt", message: `bytes ${hex}` });
    await viewer.until(() => viewer.session?.state === "idle");
    await goesOn(viewer);
    await othersAreServed();
  });
});

describe("what was written stays readable", () => {
  it("[Z104] impossible usage of every kind: the home opens again, sums are numbers, and such calls are unknown", async () => {
    await using own = await startActor();
    const ids: string[] = [];
    for (const name of ["hugeTokens", "hugeCosts", "mostTokens"]) {
      await using viewer = await openSession(own, { worker: "hostile" });
      ids.push(String(viewer.session?.id));
      await viewer.ask({ type: "prompt", message: `attempt ${name}` });
      await viewer.until(() => viewer.transcript.marks.some(({ kind }) => kind === "turn"));
    }
    for (const restart of [false, true]) {
      if (restart) {
        await own.kill();
        await own.start();
      }
      const metrics = await own.call("GET", "/metrics");
      expect(metrics.status).toBe(200);
      expect(metrics.text).not.toMatch(/^patchbay_.* (NaN|[+-]?Inf)/m);
      for (const path of [
        "/api/usage?group_by=session",
        "/api/usage?group_by=day&tz=Asia/Tokyo",
        "/api/usage/summary",
        "/api/usage/turns",
      ])
        expect((await own.call("GET", path)).status).toBe(200);
      const { body } = await own.call("GET", `/api/usage?session=${ids[0]}`);
      expect(body).toMatchObject({ total: { input: 0, unpriced: 3, calls: 3 } });
      for (const id of ids) {
        await using viewer = await attach(own, id);
        await viewer.ask({ type: "prompt", message: "say ok" });
        await viewer.until(() => viewer.session?.state === "idle");
      }
    }
  });

  it("[Z105] a session with deep frames, odd times and long names opens again after kill -9", async () => {
    await using own = await startActor();
    await using first = await openSession(own, { worker: "hostile" });
    for (const name of [
      "deepFrame",
      "deepDelta",
      "deepArguments",
      "badTimes",
      "longNames",
      "badText",
      "prototypes",
    ]) {
      await first.ask({ type: "prompt", message: `attempt ${name}` });
      await first.until(() => first.session?.state === "idle");
    }
    const before = first.transcript.messages;
    await own.kill();
    await own.start();
    await using later = await attach(own, String(first.session?.id));
    expect(later.transcript.messages).toEqual(before);
    for (const format of ["jsonl", "md", "html"])
      expect(
        (await own.call("GET", `/api/sessions/${String(first.session?.id)}/export?format=${format}`)).status,
      ).toBe(200);
    expect((await own.call("GET", "/api/search?q=shown")).status).toBe(200);
  });
});
