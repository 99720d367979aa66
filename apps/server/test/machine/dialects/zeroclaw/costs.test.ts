// What zeroclaw's turns cost: queried call by call, charged once, and unpriced (never $0) where it is not known.
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import type { ZeroclawDaemon } from "@patchbay/testing/zeroclaw-daemon";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { type Claw, startClaw, stop, turn, turns, turnThatWaits } from "./claw.ts";

const usageFrames = ({ frames }: TestViewer): Record<string, unknown>[] =>
  frames.map((frame) => JSON.parse(frame) as Record<string, unknown>).filter(({ type }) => type === "usage");

/** [cost, number of unpriced calls] of each entry. */
const entries = (viewer: TestViewer): unknown[] =>
  usageFrames(viewer).map(({ cost_usd, unpriced }) => [cost_usd, unpriced ?? 0]);

describe("zeroclaw's costs", () => {
  let claw: Claw;
  let daemon: ZeroclawDaemon;
  let server: RunningServer;
  beforeAll(async () => {
    claw = await startClaw();
    ({ daemon, server } = claw);
  });
  afterAll(() => claw[Symbol.asyncDispose]());

  it("[Z7] a call's cost is queried when it is over; without cost tracking it is unknown", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "say one");
    await turn(viewer, "say two");
    await viewer.until(() => viewer.session?.usage.cost_usd === 0.004);
    expect(viewer.session?.usage).toMatchObject({ input: 400, cache_read: 2000, output: 20 });
    expect(viewer.session?.usage.unpriced ?? 0).toBe(0);
    daemon.tracksCosts = false;
    await turn(viewer, "say three");
    await viewer.until(() => viewer.session?.usage.unpriced === 1);
    expect(viewer.session?.usage.cost_usd).toBe(0.004);
    daemon.tracksCosts = true;
  });

  it("[Z7] of a daemon that reports all it ever spent only the increase is charged", async () => {
    daemon.knowsWindows = false;
    await using viewer = await openSession(server);
    await turn(viewer, "say one");
    await turn(viewer, "say two");
    expect(entries(viewer)).toEqual([
      [0.002, 0],
      [0.002, 0],
    ]);
    daemon.knowsWindows = true;
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

  it("[Z11] each call is charged while the turn runs, also one of the same size, so that a budget stops it", async () => {
    await using viewer = await openSession(server);
    const target = String(viewer.session?.id);
    const wish = { name: "brake", scope: "session", target, period: "total", limit_usd: 0.003, kind: "hard" };
    expect((await server.call("POST", "/api/budgets", wish)).status).toBe(201);
    await viewer.ask({ type: "prompt", message: "work" });
    await viewer.until(() => turns(viewer).length === 1);
    expect(turns(viewer)).toMatchObject([{ stop: "aborted", calls: 3 }]);
    expect(JSON.stringify(viewer.transcript.marks)).toContain(
      'Stopped: the budget \\"brake\\" has reached its limit',
    );
    // The third call had begun to stream: its cost is not known.
    expect(entries(viewer)).toEqual([
      [0.002, 0],
      [0.002, 0],
      [0, 1],
    ]);
    expect(viewer.session?.usage).toMatchObject({
      input: 400,
      cache_read: 2000,
      output: 20,
      cost_usd: 0.004,
      unpriced: 1,
    });
    expect(viewer.transcript.context_tokens).toBe(1210);
  });

  it("[Z12] calls whose costs are only known as a sum are one entry; none is reported as $0", async () => {
    await using viewer = await openSession(server);
    await turnThatWaits(viewer, "burst", "three");
    await viewer.until(() => usageFrames(viewer).length === 1);
    expect(usageFrames(viewer)).toMatchObject([
      { input: 400, cache_read: 2000, output: 20, cost_usd: 0.004, purpose: "calls" },
    ]);
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 1);
  });

  it("[Z12] a daemon that records costs late is queried again; no call is reported as $0", async () => {
    await using viewer = await openSession(server);
    daemon.booksLate = true;
    await turnThatWaits(viewer, "work", "three");
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 1);
    daemon.booksLate = false;
    expect(entries(viewer)).toEqual([
      [0.002, 0],
      [0.002, 0],
      [0, 1],
    ]);
  });

  it("[Z12] a turn that breaks in the middle of an answer leaves one call of unknown cost", async () => {
    await using viewer = await openSession(server);
    await turn(viewer, "fail"); // before its first text
    expect(entries(viewer)).toEqual([]);
    await turn(viewer, "break");
    expect(entries(viewer)).toEqual([[0, 1]]);
    await turnThatWaits(viewer, "hang");
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 3);
    expect(entries(viewer)).toHaveLength(2);
    await turnThatWaits(viewer, "hang");
    daemon.cut();
    await viewer.until(() => turns(viewer).length === 4);
    expect(entries(viewer)).toHaveLength(3);
    await turnThatWaits(viewer, "hang");
    await stop(server, viewer);
    await viewer.until(() => viewer.session?.usage.unpriced === 4);
    expect(entries(viewer)).toHaveLength(4);
  });
});
