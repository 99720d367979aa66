// Workers are strangers: each way of failing becomes a state a person can read, and nothing stays behind.
import { gone, isAlive } from "@patchbay/testing/processes";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor, useSharedActor } from "../../support/actor.ts";

const pidOf = (frames: string[]): number =>
  frames
    .flatMap((frame) => {
      const value = JSON.parse(frame) as { type: string; pid?: number };
      return value.type === "worker" && value.pid !== undefined ? [value.pid] : [];
    })
    .at(-1) ?? 0;

describe("worker start", () => {
  it("[K1] a program that is not installed is refused with what to do", async () => {
    await using server = await useSharedActor();
    const { status, body } = await server.call("POST", "/api/sessions", { worker: "missing" });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code: "worker_unavailable" } });
    expect(JSON.stringify(body)).toContain("not found in PATH");
  });

  it("[K2] a program that turns out not to exist makes the session `failed`", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server, { worker: "broken" });
    const session = await viewer.state("failed");
    expect(session.reason).toContain("could not be started: the program was not found");
  });

  it("[K3] exit 1 before the first frame: the reason names the code, and the last words are kept", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server, { worker: "exit-early" });
    const session = await viewer.state("failed");
    expect(session.reason).toContain("stopped before it was ready: exit code 1");
    await viewer.until(() => viewer.transcript.marks.length > 0);
    expect(viewer.transcript.marks[0]).toMatchObject({ kind: "worker_exit", code: 1 });
    expect(JSON.stringify(viewer.transcript.marks[0])).toContain("no credential for anthropic");
  });

  it("[K4] garbage on stdout: the reason quotes it", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server, { worker: "garbage" });
    const session = await viewer.state("failed");
    expect(session.reason).toContain("does not speak the rpc protocol");
    expect(session.reason).toContain("Listening on port 3000");
  });

  it("[K5] never answering: the reason says how long was waited", async () => {
    await using server = await startActor({ limits: { worker_start_ms: 500 } });
    await using viewer = await openSession(server, { worker: "silent" });
    const session = await viewer.state("failed");
    expect(session.reason).toContain("did not respond within 0.5 s");
  });

  it("[K6] a prompt to a session whose worker cannot start is answered with the reason", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server, { worker: "exit-early" });
    const response = await viewer.ask({ type: "prompt", message: "hello" });
    expect(response.success).toBe(false);
    expect(response.error).toContain("exit code 1");
  });

  it("[K7] two viewers that prompt a stopped session at once share one worker", async () => {
    await using server = await useSharedActor();
    await using one = await openSession(server);
    await using two = await attach(server, String(one.session?.id), { since: 0 });
    await server.call("POST", `/api/sessions/${String(one.session?.id)}/stop`);
    await Promise.all([
      one.ask({ type: "prompt", message: "say one" }),
      two.ask({ type: "prompt", message: "say two" }),
    ]);
    await two.until(() => two.transcript.messages.length === 4 && two.session?.state === "idle");
    const starts = two.frames.filter((frame) => frame.includes('"event":"starting"'));
    expect(starts).toHaveLength(2); // the first, and the one after the stop
  });
});

describe("worker environment", () => {
  it("[K8] a worker sees its allow-list and a secret of its own, and nothing else", async () => {
    await using server = await startActor(
      {},
      { SOME_API_KEY: "for-the-worker", OTHER_SECRET: "not-for-it", PATCHBAY_TOKEN: "t".repeat(40) },
    );
    await using viewer = await openSession(server);
    const seen: Record<string, unknown> = {};
    for (const name of ["SOME_API_KEY", "OTHER_SECRET", "PATCHBAY_TOKEN", "ZOTCORE_RPC_TOKEN", "HOME"]) {
      await viewer.ask({ type: "prompt", message: `env ${name}` });
      await viewer.until(
        () => viewer.frames.at(-1) === '{"type":"done"}' && viewer.session?.state === "idle",
      );
      const text = viewer.transcript.messages.at(-1)?.content[0];
      seen[name] = text?.type === "text" ? JSON.parse(text.text) : undefined;
    }
    expect(seen["SOME_API_KEY"]).toBe("for-the-worker");
    expect(seen["OTHER_SECRET"]).toBeNull();
    expect(seen["PATCHBAY_TOKEN"]).toBeNull();
    expect(seen["ZOTCORE_RPC_TOKEN"]).toMatch(/^[0-9a-f]{64}$/);
    expect(seen["HOME"]).toBe(server.home);
  });
});

describe("worker end", () => {
  it("[K9] a crash ends the turn visibly, with code and last words, secrets blotted out; the next prompt restarts it", async () => {
    await using server = await startActor({}, { SOME_API_KEY: "sk-very-secret-value" });
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "crash" });
    const session = await viewer.state("failed");
    expect(session.reason).toContain("The agent stopped: exit code 3");
    const kinds = viewer.transcript.marks.map((mark) => mark.kind);
    expect(kinds).toEqual(["unkept", "turn", "worker_exit"]);
    expect(viewer.transcript.marks[1]).toMatchObject({ stop: "interrupted" });
    const words = JSON.stringify(viewer.transcript.marks[2]);
    expect(words).toContain("out of cheese");
    expect(words).toContain("[secret]");
    expect(words + server.stderr()).not.toContain("sk-very-secret-value");
    expect((await viewer.ask({ type: "prompt", message: "say back" })).success).toBe(true);
    await viewer.state("idle");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "end" });
    // The fixture cannot take its transcript back, and the page must say so.
    expect(
      viewer.transcript.marks.some(
        (mark) => mark.kind === "notice" && mark.text.includes("does not remember"),
      ),
    ).toBe(true);
  });

  it("[K10] stop ends the worker and keeps the session", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await using whole = await attach(server, String(viewer.session?.id), { since: 0 });
    const pid = pidOf(whole.frames);
    const { body } = await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    expect(body).toMatchObject({ session: { state: "stopped" } });
    expect(isAlive(pid)).toBe(false);
  });

  it("[K10] a turn that runs when a person stops the session was stopped, not failed", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.until(() => viewer.transcript.partial !== null);
    const { body } = await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    expect(body).toMatchObject({ session: { state: "stopped", last_turn: "stopped" } });
    await viewer.until(() => viewer.transcript.partial === null);
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ kind: "turn", stop: "aborted", error: null });
  });

  it("[K11] a worker that ignores its stdin and SIGTERM is killed by the ladder", async () => {
    await using server = await startActor({ limits: { worker_stop_ms: 200 } });
    await using viewer = await openSession(server, { worker: "stubborn" });
    await using whole = await attach(server, String(viewer.session?.id), { since: 0 });
    const pid = pidOf(whole.frames);
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    expect(isAlive(pid)).toBe(false);
    await whole.until(() => whole.frames.some((frame) => frame.includes('"signal":"SIGKILL"')));
  });

  it("[K16] a worker that does not end a turn that was stopped is ended, visibly, and started again", async () => {
    await using server = await startActor({ limits: { worker_stop_ms: 200, worker_abort_ms: 300 } });
    await using viewer = await openSession(server, { worker: "stubborn" });
    await viewer.ask({ type: "prompt", message: "deaf" });
    expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
    await viewer.state("stopped");
    expect(viewer.session?.last_turn).toBe("stopped");
    expect(JSON.stringify(viewer.transcript.marks)).toContain("did not stop within");
    expect(viewer.transcript.marks.filter(({ kind }) => kind === "turn")).toMatchObject([
      { stop: "aborted" },
    ]);
    await viewer.ask({ type: "prompt", message: "hello" });
    await viewer.until(() => viewer.transcript.marks.at(-1)?.kind === "turn");
    expect(viewer.transcript.marks.at(-1)).toMatchObject({ stop: "end" });
  });

  it("[K12] what a worker leaves in its process group goes with it", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "child" });
    await viewer.state("busy");
    await viewer.state("idle");
    const block = viewer.transcript.messages.at(-1)?.content[0];
    const child = Number(block?.type === "text" ? block.text : 0);
    expect(isAlive(child)).toBe(true);
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await gone(child);
  });

  it("[K12] a worker that is killed is gone, though its child holds its output", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "heir" });
    const child = () => Number(/child (\d+)/.exec(viewer.frames.join("\n"))?.[1]);
    await viewer.until(() => child() > 0);
    process.kill(Number(viewer.session?.pid), "SIGKILL");
    await viewer.state("failed");
    await gone(child());
  });

  it("[K13] SIGTERM to the server ends every worker and exits 0", async () => {
    await using server = await startActor({ limits: { worker_stop_ms: 300 } });
    const pids: number[] = [];
    for (const worker of ["actor", "stubborn", "silent"]) {
      const session = await createSession(server, { worker });
      if (worker === "silent") continue;
      await using viewer = await attach(server, session, { since: 0 });
      await viewer.state("idle");
      pids.push(pidOf(viewer.frames));
    }
    server.process.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(pids).toHaveLength(2);
    for (const pid of pids) await gone(pid);
  });
});
