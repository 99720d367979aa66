// A whole turn in one read. What the server does because of it (a budget that holds, a question that is withdrawn,
// the next prompt) must neither take numbers of that read's frames nor mistake them for its own.
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { expect, it } from "vitest";
import { attach, createSession, startActor } from "../support/actor.ts";
import { wholeLog } from "./observe.ts";

const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0, cost_usd: 0.02 };
const spent = { type: "usage", ...usage, cumulative: usage };
const delta = (text: string) => ({ type: "text_delta", delta: text });
const turn = (...frames: object[]) => ({ type: "prompt", message: JSON.stringify(frames) });
const never = { type: "prompt", id: "never", message: "never taken" };

async function open(server: RunningServer): Promise<TestViewer> {
  const session = await createSession(server, { worker: "gather" });
  const viewer = await attach(server, session, { since: 0, viewer: "one-browser" });
  await viewer.state("idle");
  return viewer;
}

/** The prompt is said, in one read: when the worker has it and is asked how it is. */
async function tellNow(viewer: TestViewer): Promise<void> {
  while (!viewer.frames.some((frame) => frame.includes('"type":"done"')))
    await viewer.ask({ type: "get_state" });
}

const types = (frames: readonly string[]): string[] =>
  frames.map((frame) => (JSON.parse(frame) as { type: string }).type);

const total = async (server: RunningServer): Promise<number> =>
  ((await server.call("GET", "/api/usage")).body as { total: { cost_usd: number } }).total.cost_usd;

async function restarted(server: RunningServer, session: string): Promise<TestViewer> {
  await server.kill();
  await server.start();
  return attach(server, session, { viewer: "one-browser" });
}

it("[G50] a budget that holds the next prompt is told of after the turn, and what was spent counts once", async () => {
  const budget = { name: "day", scope: "everything", period: "day", kind: "hard", limit_usd: 0.01 };
  await using server = await startActor({ budgets: [budget] });
  await using viewer = await open(server);
  viewer.send(turn(delta("a"), spent, delta("b")));
  expect((await viewer.ask(never)).data).toEqual({ started: false, queued: true });
  await tellNow(viewer);
  await viewer.until(() => viewer.frames.some((frame) => frame.includes('"held"')));
  expect(
    types(viewer.frames)
      .filter((type) => type === "done" || type === "budget")
      .at(0),
  ).toBe("done");
  expect(await total(server)).toBe(0.02);
  await using later = await restarted(server, String(viewer.session?.id));
  await later.state("stopped");
  expect(await total(server)).toBe(0.02);
  expect(later.session?.usage.cost_usd).toBe(0.02);
});

it("[G51] a question that is withdrawn in the middle of an answer costs it no word, and nobody twice", async () => {
  await using server = await startActor();
  await using viewer = await open(server);
  const ask = { type: "extension_ui_request", id: "q1", method: "confirm", title: "Sure?" };
  const withdraw = { type: "extension_ui_request", id: "q2", method: "cancel", targetId: "q1" };
  viewer.send(turn(delta("A"), ask, delta("B"), spent, delta("C"), withdraw, delta("D")));
  await tellNow(viewer);
  await viewer.until(() => types(viewer.frames).includes("ui_resolved"));
  const session = String(viewer.session?.id);
  const inLog = types(await wholeLog(server, session));
  expect(inLog.indexOf("ui_resolved")).toBeGreaterThan(inLog.lastIndexOf("extension_ui_request"));
  await using fresh = await attach(server, session);
  expect(JSON.stringify(fresh.transcript)).toContain('"ABCD"');
  await using later = await restarted(server, session);
  expect(JSON.stringify(later.transcript)).toContain('"ABCD"');
  expect(await total(server)).toBe(0.02);
});

it("[G52] a prompt that waited, was sent and not taken waits again after kill -9", async () => {
  await using server = await startActor();
  await using viewer = await open(server);
  viewer.send(turn(delta("a")));
  expect((await viewer.ask(never)).data).toEqual({ started: false, queued: true });
  await tellNow(viewer);
  await viewer.until(() => viewer.session?.state === "busy" && queued(viewer).length === 0);
  await viewer.ask({ type: "get_state" }); // it has been given to the worker, which takes commands in order
  await using later = await restarted(server, String(viewer.session?.id));
  await later.until(() => queued(later).length === 1);
  expect(queued(later)).toEqual(["never taken"]);
});

const queued = (viewer: TestViewer): string[] =>
  ((viewer.lines.findLast(({ type }) => type === "queue")?.["items"] ?? []) as { message: string }[]).map(
    ({ message }) => message,
  );
