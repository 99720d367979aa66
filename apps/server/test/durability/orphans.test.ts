// Nobody outlives the way they were meant to end: workers that ignore everything, and commands of an
// agent that fled from their process group. Every process of a test server is known by its HOME.
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { gone, isAlive, processesWith } from "@patchbay/testing/processes";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../support/actor.ts";
import { fileWritten, readyWorker } from "./observe.ts";

const problem = await sandboxProblem();

/** The shell ends at once; its grandchild is in a session of its own, ignores TERM and has closed its pipes. */
const flee = (mark: string): string =>
  `export FLED=${mark}; setsid bash -c 'trap "" TERM HUP; (exec setsid sleep 1000 </dev/null >/dev/null 2>&1) & echo x > fled' & sleep 1000`;

/** The server itself carries the same HOME. */
const others = (server: RunningServer): number[] =>
  processesWith("HOME", server.home).filter((pid) => pid !== server.process.pid);

/** All that the command has started. A sandbox numbers processes anew, so they are known by a variable. */
async function fledChildren(server: RunningServer, viewer: TestViewer, mark: string): Promise<number[]> {
  await viewer.ask({ type: "prompt", message: "flee" });
  await fileWritten(join(server.cwd, "fled"));
  const pids = processesWith("FLED", mark);
  expect(pids.filter(isAlive).length).toBeGreaterThan(0);
  return pids;
}

async function startFleeing(jail: string) {
  const mark = randomUUID();
  const model = await startFakeModel();
  model.reply({ toolCalls: [{ name: "bash", args: { command: flee(mark) } }] });
  const server = await startServer({
    config: { agent: { jail, approvals: "full" }, limits: { worker_pool: 0 } },
    env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
  });
  return { model, server, mark };
}

describe.each([
  { jail: "on", here: unless(problem) },
  { jail: "off", here: {} },
])("orphans of commands, with the jail $jail", ({ jail, here }) => {
  it("[G30] a command that fled its process group ends with the stop of its session", here, async () => {
    await using setup = await disposable(startFleeing(jail));
    const { server, mark } = setup;
    await using viewer = await openSession(server);
    const pids = await fledChildren(server, viewer, mark);
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await Promise.all(pids.map(gone));
  });

  it("[G31] a command that fled its process group ends with a kill -9 of its worker", here, async () => {
    await using setup = await disposable(startFleeing(jail));
    const { server, mark } = setup;
    await using viewer = await openSession(server);
    const worker = await readyWorker(server, viewer);
    const pids = await fledChildren(server, viewer, mark);
    process.kill(worker, "SIGKILL");
    await viewer.state("failed");
    await Promise.all(pids.map(gone));
  });

  it("[G32] a command that fled its process group ends when a killed server starts again", here, async () => {
    await using setup = await disposable(startFleeing(jail));
    const { server, mark } = setup;
    await using viewer = await openSession(server);
    const worker = await readyWorker(server, viewer);
    const pids = await fledChildren(server, viewer, mark);
    await server.kill();
    await server.start();
    expect([worker, ...pids].filter(isAlive)).toEqual([]);
  });
});

describe("orphans", () => {
  it("[G33] workers that ignore their stdin end when a killed server starts again, those that had not said hello too", async () => {
    await using server = await startActor();
    const stubborn = await openSession(server, { worker: "stubborn" });
    await createSession(server, { worker: "late" });
    await fileWritten(join(server.cwd, "late.pid"));
    const late = Number(readFileSync(join(server.cwd, "late.pid"), "utf8"));
    const worker = await readyWorker(server, stubborn);
    await server.kill();
    expect([worker, late].filter(isAlive)).toHaveLength(2);
    await server.start();
    expect(others(server)).toEqual([]);
    await using viewer = await attach(server, String(stubborn.session?.id));
    expect(viewer.session?.state).toBe("stopped");
  });

  it("[G34] a second server on the same home is refused in words, and harms nothing", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    const worker = await readyWorker(server, viewer);
    const second = startServer({ env: { PATCHBAY_HOME: join(server.home, ".patchbay") } });
    await expect(second).rejects.toThrow("Another Patchbay is already running with the home directory");
    expect(isAlive(worker)).toBe(true);
    expect((await viewer.ask({ type: "prompt", message: "say on" })).success).toBe(true);
    expect(existsSync(join(server.home, ".patchbay", "lock"))).toBe(true);
  });
});

/** One resource of two: the server goes first. */
async function disposable(starting: ReturnType<typeof startFleeing>) {
  const { server, model, mark } = await starting;
  return {
    server,
    mark,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
