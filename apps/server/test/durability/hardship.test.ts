// Hardships of a machine: a frozen worker, a disk without room, a home that cannot be written to, a clock
// that jumps. Each is a state a person can read, and nothing is lost.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gone } from "@patchbay/testing/processes";
import { repository, startServer } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { actorConfig, attach, openSession, startActor } from "../support/actor.ts";
import { readyWorker, wholeLog } from "./observe.ts";

/** A small file system of its own; undefined (and why, printed) where that is not allowed. */
function mountSmall(size: string): (AsyncDisposable & { path: string }) | undefined {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-small-")));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "patchbay-test", path], { stdio: "pipe" });
  } catch (error) {
    console.log(`skipped: no small file system can be mounted here (${String(error).split("\n")[0]})`);
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      execFileSync("umount", ["--lazy", path]);
      rmSync(path, { recursive: true });
    },
  };
}

describe("hardships", () => {
  it("[G20] a worker that is stopped (SIGSTOP) can be ended, and the session goes on with a new one", async () => {
    await using server = await startActor({ limits: { worker_stop_ms: 200 } });
    await using viewer = await openSession(server);
    const worker = await readyWorker(server, viewer);
    process.kill(worker, "SIGSTOP");
    viewer.send({ type: "prompt", message: "say never" });
    await viewer.state("busy");
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
    await gone(worker);
    expect((await viewer.ask({ type: "prompt", message: "say again" })).success).toBe(true);
    await viewer.state("idle");
  });

  it("[G21] a full disk: trouble is shown, the worker waits, and when there is room nothing was lost", async (test) => {
    await using disk = mountSmall("6m");
    if (disk === undefined) return test.skip("no small file system can be mounted here");
    const ballast = join(disk.path, "ballast");
    writeFileSync(ballast, Buffer.alloc(4 * 1024 * 1024));
    const home = join(disk.path, "person");
    mkdirSync(home);
    await using server = await startServer({
      config: actorConfig({ limits: { unwritten_bytes: 200_000 } }),
      home,
    });
    await using viewer = await openSession(server);
    viewer.countOnly();
    await viewer.ask({ type: "prompt", message: "flood 25000 100" });
    await viewer.until(() => viewer.session?.trouble !== undefined);
    expect(viewer.session?.trouble).toContain("The log cannot be written");
    expect(viewer.session?.state).toBe("busy");
    expect(viewer.seq).toBeLessThan(25_000);
    for (const options of [{}, { since: viewer.seq - 10 }]) {
      await using late = new TestViewer(server.url, server.token, String(viewer.session?.id), options);
      const { session } = await late.line(({ type }) => type === "attached");
      expect((session as { trouble?: string }).trouble).toContain("The log cannot be written");
    }
    unlinkSync(ballast);
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.trouble === undefined);
    const log = await wholeLog(server, String(viewer.session?.id));
    const numbers = log.flatMap((frame) => /^\{"type":"text_delta","delta":"(\d+) /.exec(frame)?.[1] ?? []);
    expect(numbers).toEqual(Array.from({ length: 25_000 }, (_, index) => String(index)));
  });

  it("[G18] a prompt that its worker has shown when the log cannot be written and the worker dies runs once", async (test) => {
    await using disk = mountSmall("1m");
    if (disk === undefined) return test.skip();
    await using server = await startServer({
      config: actorConfig(),
      prepare: async (home) => symlinkSync(disk.path, join(home, "sessions")), // the prompt itself can be saved
    });
    await using viewer = await openSession(server);
    const pid = await readyWorker(server, viewer);
    const ballast = join(disk.path, "ballast");
    expect(() => writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024))).toThrow(/ENOSPC/);
    const long = `hang ${"x".repeat(20_000)}`; // more than what is left of the log's last page
    expect((await viewer.ask({ type: "prompt", message: long })).data).toEqual({ started: true });
    await viewer.until(() => viewer.session?.trouble !== undefined);
    process.kill(pid, "SIGKILL");
    await gone(pid);
    unlinkSync(ballast);
    await viewer.until(() => viewer.session?.state === "failed" && viewer.session.trouble === undefined);
    await viewer.ask({ type: "prompt", message: "say next" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.transcript.messages.length === 3);
    const log = await wholeLog(server, String(viewer.session?.id));
    expect(log.filter((frame) => frame.includes('"user_message"'))).toHaveLength(2);
    expect(viewer.lines.findLast((line) => line.type === "queue")?.["items"] ?? []).toEqual([]);
  });

  it("[G24] on a full disk the server still ends within 10 s of SIGTERM, and says that it could not in good order", async (test) => {
    await using disk = mountSmall("3m");
    if (disk === undefined) return test.skip("no small file system can be mounted here");
    const home = join(disk.path, "person");
    mkdirSync(home);
    await using server = await startServer({ config: actorConfig(), home });
    await using viewer = await openSession(server);
    viewer.countOnly();
    await viewer.ask({ type: "prompt", message: "flood 60000 100" });
    await viewer.until(() => viewer.session?.trouble !== undefined);
    const asked = performance.now();
    server.process.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(performance.now() - asked).toBeLessThan(10_000);
    await server.logged("Stopped by force");
  });

  it("[G22] a home on a read-only file system: exit 1 and what to do", async (test) => {
    await using disk = mountSmall("1m");
    if (disk === undefined) return test.skip("no small file system can be mounted here");
    execFileSync("mount", ["-o", "remount,ro", disk.path]);
    const start = startServer({ args: ["--home", disk.path] });
    await expect(start).rejects.toThrow(
      new RegExp(
        `patchbay: Cannot write to the home directory ${disk.path}.*Choose another directory with --home`,
      ),
    );
  });

  it("[G23] a clock that jumps back and forth breaks nothing, across a restart too", async () => {
    await using server = await startServer({
      config: actorConfig(),
      nodeArgs: ["--import", join(repository, "testing/src/shifting-clock.mjs")],
    });
    const first = await openSession(server);
    const session = String(first.session?.id);
    await first.ask({ type: "prompt", message: "ask 1000000" });
    await first.state("waiting");
    await first.ask({ type: "prompt", message: "usage 10 5 0.000123" });
    first.send({ type: "extension_ui_response", id: "q1", confirmed: true });
    await first.until(() => first.session?.state === "idle" && first.transcript.usage.input === 10);
    for (let turn = 0; turn < 5; turn++)
      await first.ask({ type: "prompt", id: `p${turn}`, message: "say on" });
    await first.until(() => first.transcript.messages.length === 13 && first.session?.state === "idle");
    await server.kill();
    await server.start();
    await using viewer = await attach(server, session, { viewer: first.key });
    expect(viewer.transcript.messages.map((message) => message.role)).toEqual(
      first.transcript.messages.map((message) => message.role),
    );
    expect((await viewer.ask({ type: "prompt", id: "p4", message: "say on" })).success).toBe(true);
    const { body } = await server.call("GET", "/api/usage");
    expect(body).toMatchObject({ total: { input: 10, output: 5, cost_usd: 0.000123 } });
    expect(viewer.transcript.messages).toHaveLength(13);
  });
});
