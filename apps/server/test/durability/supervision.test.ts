// Workers come and go, the session stays: crashes, crash loops, idle stops, the limit of workers, and
// workers that were started ahead.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { gone, processesWith, reaped } from "@patchbay/testing/processes";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../support/actor.ts";
import { readyWorker } from "./observe.ts";

const startBuiltin = (model: FakeModel, limits: object = {}): Promise<RunningServer> =>
  startServer({
    config: { limits },
    env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
  });

/** The worker that was started ahead and belongs to nobody yet; waits until there is one besides `known`. */
async function pooledWorker(server: RunningServer, known: readonly number[] = []): Promise<number> {
  let found: number | undefined;
  await waitUntil(() => {
    found = processesWith("HOME", server.home).find(
      (pid) => pid !== server.process.pid && !known.includes(pid),
    );
    return found !== undefined;
  });
  return found ?? 0;
}

/** A session whose worker was there before it: the first one may come before the pool is filled. */
async function adopting(server: RunningServer, wish: object): Promise<TestViewer> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const before = await pooledWorker(server);
    const viewer = await openSession(server, wish);
    if ((await readyWorker(server, viewer)) === before) return viewer;
    await server.call("DELETE", `/api/sessions/${String(viewer.session?.id)}`);
    await viewer.untilClosed();
  }
  throw new Error("no session adopted the worker that was started ahead");
}

describe("supervision", () => {
  it("[G40] a worker that dies three times in a row is not started again at once, and that is said", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    const interrupted = () =>
      viewer.transcript.marks.filter((mark) => mark.kind === "turn" && mark.stop === "interrupted").length;
    for (let death = 1; death <= 3; death++) {
      expect((await viewer.ask({ type: "prompt", message: "crash" })).success).toBe(true);
      await viewer.until(() => interrupted() === death && viewer.session?.state === "failed");
    }
    const refused = await viewer.ask({ type: "prompt", message: "say hello" });
    expect(refused).toMatchObject({ success: false });
    expect(refused.error).toMatch(/^The agent crashed 3 times in a row\. Try again in \d s/);
    await viewer.until(() => viewer.session?.job === null);
  });

  it("[G41] an idle worker is stopped, and comes back with its memory", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "Noted, Ada." }, { text: "Ada." });
    await using server = await startBuiltin(model, { worker_idle_ms: 300, worker_pool: 0 });
    await using viewer = await openSession(server);
    const worker = await readyWorker(server, viewer);
    await viewer.ask({ type: "prompt", message: "my name is Ada" });
    await viewer.until(() => viewer.transcript.messages.length === 2);
    const stopped = await viewer.state("stopped");
    expect(stopped.reason).toBeUndefined();
    await gone(worker);
    await viewer.ask({ type: "prompt", message: "who am I?" });
    await viewer.until(() => viewer.transcript.messages.length === 4);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("my name is Ada");
  });

  it("[G42] at the limit of workers the next one is refused in words", async () => {
    await using server = await startActor({ limits: { workers: 1 } });
    await using first = await openSession(server);
    await first.ask({ type: "prompt", message: "hang" });
    await using second = await openSession(server);
    expect(second.session).toMatchObject({ state: "failed" });
    expect(second.session?.reason).toContain("One agent is running, which is the limit of this server");
    const refused = await second.ask({ type: "prompt", message: "say hello" });
    expect(refused.error).toContain("limits.workers");
    await server.call("POST", `/api/sessions/${String(first.session?.id)}/stop`);
    expect((await second.ask({ type: "prompt", message: "say hello" })).success).toBe(true);
  });

  it("[G42] many that start at once are counted as well, and so are those of one person", async () => {
    for (const limits of [{ workers: 2 }, { workers_per_person: 2 }]) {
      await using server = await startActor({ limits });
      const sessions = await Promise.all(Array.from({ length: 5 }, () => createSession(server)));
      const states = await Promise.all(
        sessions.map(async (id) => {
          await using viewer = await attach(server, id);
          return (await viewer.state("idle", "failed")).state;
        }),
      );
      expect(states.filter((state) => state === "idle")).toHaveLength(2);
    }
  });

  it("[G43] at the limit of workers an idle one that can be given its memory back makes room", async () => {
    await using model = await startFakeModel();
    await using server = await startBuiltin(model, { workers: 1, worker_pool: 0 });
    await using first = await openSession(server);
    expect(first.session?.state).toBe("idle");
    await using second = await openSession(server);
    expect(second.session?.state).toBe("idle");
    await first.state("stopped");
    expect((await first.ask({ type: "prompt", message: "hello again" })).success).toBe(true);
    await second.state("stopped");
  });

  it("[G44] a new session adopts the worker that was started ahead, in its own directory and with its model", async () => {
    await using model = await startFakeModel();
    await using server = await startBuiltin(model, { worker_pool: 1 });
    const cwd = join(server.cwd, "elsewhere");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "here.txt"), "");
    model.reply({ toolCalls: [{ name: "bash", args: { command: "pwd; ls" } }] }, { text: "done" });
    await using viewer = await adopting(server, { cwd, model: "anthropic/claude-haiku-4-5" });
    expect(viewer.session).toMatchObject({
      state: "idle",
      cwd,
      provider: "anthropic",
      model: "claude-haiku-4-5",
    });
    await viewer.ask({ type: "prompt", message: "where are you?" });
    await viewer.until(() => viewer.transcript.messages.length === 4 && viewer.session?.state === "idle");
    const result = JSON.stringify(viewer.transcript.messages[2]);
    expect(result).toContain(cwd);
    expect(result).toContain("here.txt");
    expect(JSON.stringify(model.requests[0]?.body)).toContain("claude-haiku-4-5");
  });

  it("[G45] a worker that was started ahead and died is done without, and replaced", async () => {
    await using model = await startFakeModel();
    await using server = await startBuiltin(model, { worker_pool: 1 });
    const pooled = await pooledWorker(server);
    process.kill(pooled, "SIGKILL");
    await reaped(pooled);
    await using viewer = await openSession(server);
    expect(viewer.session?.state).toBe("idle");
    const own = await readyWorker(server, viewer);
    expect(own).not.toBe(pooled);
    await pooledWorker(server, [pooled, own]);
  });
});
