// How a worker ends, and that nothing outlives it: stdin closed both ways, signals, a reader that is
// gone or slow, and the environment of its shells.
import { readFile, watch } from "node:fs/promises";
import { join } from "node:path";
import { startWorker } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { isAlive } from "../is-alive.ts";
import { dig, only, type Rig, runTool, secret, shape, startRig } from "../rig.ts";

/** Starts a command that ignores SIGTERM and has a child, and gives back the ids of both. */
async function startStubborn({ model, worker }: Rig): Promise<number[]> {
  const command = `trap '' TERM; sleep 300 & echo pids $$ $!; wait; sleep 300`;
  model.reply({ toolCalls: [{ name: "bash", args: { command } }] });
  worker.send({ type: "prompt", message: "go" });
  const progress = await worker.next((frame) => String(frame["text"]).includes("pids"));
  const pids = /pids (\d+) (\d+)/.exec(String(progress["text"]))?.slice(1).map(Number) ?? [];
  expect(pids.map(isAlive)).toEqual([true, true]);
  return pids;
}

async function untilFile(directory: string, name: string): Promise<void> {
  for await (const { filename } of watch(directory)) if (filename === name) return;
}

describe("the end of input", () => {
  it("[W34] finish (zot's way): running and queued work is done, then exit 0", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "one", hangBefore: "end" }, { text: "two" });
    rig.worker.send({ type: "prompt", message: "1" });
    rig.worker.send({ type: "prompt", message: "2" });
    await rig.worker.next("text_delta");
    rig.worker.closeInput();
    rig.model.release();
    expect(await rig.worker.exit).toEqual({ code: 0, signal: null });
    expect(only(rig.worker.frames, "done")).toHaveLength(2);
    expect(shape(rig.worker.frames).filter((type) => type === "turn_end(end)")).toHaveLength(2);
  });

  it("[W34] finish: input that ends with the prompt still gets its whole answer", async () => {
    await using worker = startWorker();
    worker.writeRaw('{"type":"hello"}\n{"type":"prompt","message":"hello"}\n');
    worker.closeInput();
    expect((await worker.exit).code).toBe(0);
    expect(shape(worker.frames).at(-1)).toBe("done");
  });

  it("[W35] abort: the turn is aborted, the tool's whole group is killed, queued work is dropped, exit 0", async () => {
    await using rig = await startRig({ args: ["--on-eof", "abort"] });
    const pids = await startStubborn(rig);
    rig.worker.send({ type: "prompt", message: "never" });
    rig.worker.closeInput();
    expect(await rig.worker.exit).toEqual({ code: 0, signal: null });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(only(rig.worker.frames, "user_message")).toHaveLength(1);
    expect(shape(rig.worker.frames).slice(-2)).toEqual(["tool_result", "done"]);
  });

  it.each(["finish", "abort"])(
    "[W35] %s: input that ends before any command ends the worker",
    async (how) => {
      await using worker = startWorker({ args: ["--on-eof", how] });
      worker.closeInput();
      expect(await worker.exit).toEqual({ code: 0, signal: null });
      expect(worker.lines).toEqual([]);
    },
  );

  it("[W35] abort: idle, it exits at once", async () => {
    await using worker = startWorker({ args: ["--on-eof", "abort"] });
    await worker.ask({ type: "hello" });
    worker.closeInput();
    expect(await worker.exit).toEqual({ code: 0, signal: null });
  });
});

describe("signals and readers", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "[W36] %s: no process is left, and the frames up to then arrive",
    async (signal) => {
      await using rig = await startRig();
      const pids = await startStubborn(rig);
      rig.worker.kill(signal);
      expect(await rig.worker.exit).toEqual({ code: 0, signal: null });
      expect(pids.map(isAlive)).toEqual([false, false]);
      expect(shape(rig.worker.frames).at(-1)).toBe("done");
    },
  );

  it("[W36] SIGTERM ends a worker that still waits for its first command", async () => {
    await using worker = startWorker();
    worker.kill("SIGTERM");
    expect(await worker.exit).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("[W36] a reader that is gone ends the worker and its tools", async () => {
    await using rig = await startRig();
    const pids = await startStubborn(rig);
    rig.worker.closeOutput();
    rig.worker.send({ type: "ping" });
    await rig.worker.exit;
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it("[W37] a reader that has stopped fills no memory and keeps neither worker nor command alive", async () => {
    await using rig = await startRig();
    const begun = untilFile(rig.directory, "pid");
    rig.model.reply({
      toolCalls: [{ name: "bash", args: { command: "echo $$ > pid.new; mv pid.new pid; yes" } }],
    });
    rig.worker.pauseReading();
    rig.worker.send({ type: "prompt", message: "flood" });
    await begun;
    const pid = Number(await readFile(join(rig.directory, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    rig.worker.kill("SIGTERM");
    await rig.worker.gone;
    expect(isAlive(pid)).toBe(false);
  });

  it("[W37] a reader that stops and comes back has missed nothing", async () => {
    await using rig = await startRig();
    const pieces = Array.from({ length: 3_000 }, (_, index) => `${index} ${"x".repeat(2_000)} `);
    rig.model.reply({ text: pieces });
    rig.worker.pauseReading();
    rig.worker.send({ type: "prompt", message: "flood" });
    await rig.model.nextRequest();
    rig.worker.resumeReading();
    await rig.worker.next("done");
    expect(only(rig.worker.frames, "text_delta").map((frame) => frame["delta"])).toEqual(pieces);
  });

  it("[W37] idle, a worker needs at most 80 MB", async () => {
    await using worker = startWorker();
    await worker.ask({ type: "hello" });
    await worker.ask({ type: "ping" });
    const status = await readFile(`/proc/${worker.pid}/status`, "utf8");
    expect(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toBeLessThan(80);
  });
});

describe("secrets", () => {
  it("[W38] commands see neither the token nor any key, and nothing that is not on the list", async () => {
    const env = {
      ZOTCORE_RPC_TOKEN: "token-not-for-shells",
      OPENAI_API_KEY: `${secret}-openai`,
      AWS_SECRET_ACCESS_KEY: `${secret}-aws`,
      LC_ALL: "C.UTF-8",
      TZ: "UTC",
    };
    await using rig = await startRig({ env });
    await rig.worker.ask({ type: "hello", token: "token-not-for-shells" });
    const { text } = await runTool(rig, "bash", { command: "env; echo HOME=$HOME" });
    expect(text).not.toContain("not-for-shells");
    expect(text).not.toMatch(/API_KEY|TOKEN|BASE_URL|AWS|PATCHBAY/);
    expect(text).toContain("LC_ALL=C.UTF-8");
    expect(text).toContain("TZ=UTC");
    expect(text).toContain(`HOME=${rig.home}`);
  });

  it("[W38] a provider's library finds nothing in the environment that it was not given", async () => {
    await using rig = await startRig({ provider: "openai", env: { OPENAI_ORG_ID: "org-of-somebody" } });
    await rig.worker.prompt("hi");
    expect(rig.model.requests[0]?.headers["authorization"]).toBe(`Bearer ${secret}`);
    expect(JSON.stringify(rig.model.requests[0]?.headers)).not.toContain("org-of-somebody");
  });

  it("[W38] the working directory of commands is the session's", async () => {
    await using rig = await startRig();
    const { text } = await runTool(rig, "bash", { command: "pwd -P" });
    expect(text).toContain(rig.directory.split("/").at(-1));
    const written = await runTool(rig, "write", { path: "here.txt", content: "x" });
    expect(written.isError).toBe(false);
    expect(await readFile(join(rig.directory, "here.txt"), "utf8")).toBe("x");
    expect(dig(written.content, 0, "text")).toBe("created here.txt: 1 byte, 1 line");
  });
});
