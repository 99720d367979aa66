// One viewer that stops reading while a worker emits 500 MB: the server keeps what it has sent nobody in the
// log, not in memory, and the others notice nothing.
import { memoryOf } from "@patchbay/testing/processes";
import { describe, expect, it } from "vitest";
import { attach, openSession, startActor } from "../support/actor.ts";

const frames = 125_000;
const frameBytes = 4_000;
const megabyte = 1024 * 1024;

describe("backpressure", () => {
  it("[G6] a viewer that stops reading while a worker emits 500 MB costs less than 64 MB, and later has everything", {
    timeout: 180_000,
  }, async () => {
    await using server = await startActor({ limits: { viewer_stall_ms: 600_000 } });
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    viewer.countOnly();
    // A turn of its own first: what the program needs at all is no question of this test.
    await viewer.ask({ type: "prompt", message: `flood 1000 ${frameBytes}` });
    await viewer.until(() => viewer.seq > 1_000 && viewer.session?.state === "idle");
    const stalled = (await attach(server, session)).countOnly();
    stalled.pause();
    const pid = server.process.pid ?? 0;
    const idle = memoryOf(pid).now;
    const from = viewer.seq;
    await viewer.ask({ type: "prompt", message: `flood ${frames} ${frameBytes}` });
    await viewer.until(() => viewer.seq >= from + frames && viewer.session?.state === "idle");
    const { peak } = memoryOf(pid);
    console.log(`idle ${Math.round(idle / megabyte)} MB, at most ${Math.round(peak / megabyte)} MB`);
    expect(stalled.seq).toBeLessThan(from + frames / 2);
    expect(peak - idle).toBeLessThan(64 * megabyte);
    stalled.resume();
    await stalled.until(() => stalled.seq >= viewer.seq);
    stalled.cut();
    await using back = await attach(server, session, { since: viewer.seq - 1_000 });
    expect(back.lines[0]).toMatchObject({ type: "attached", verdict: "replay" });
    expect(back.seq).toBe(viewer.seq);
  });

  it("[G7] lines about the session do not pile up for a viewer that stops reading; the newest one comes", async () => {
    await using server = await startActor({
      limits: { viewer_buffer_bytes: 100_000, viewer_stall_ms: 600_000 },
    });
    await using viewer = await openSession(server);
    const stalled = await attach(server, String(viewer.session?.id));
    stalled.pause();
    await viewer.ask({ type: "prompt", message: "spend 0.000001 5 2000" });
    // About 12 MB: more than the sockets' own buffers take.
    await viewer.until(() => viewer.transcript.usage.input >= 60_000);
    await viewer.ask({ type: "abort" });
    const { usage } = await viewer.state("idle");
    const told = viewer.lines.filter((line) => line.type === "session").length;
    stalled.resume();
    await stalled.until(
      () => stalled.session?.state === "idle" && stalled.session.usage.input === usage.input,
    );
    expect(stalled.lines.filter((line) => line.type === "session").length).toBeLessThan(told);
    expect(stalled.transcript).toEqual(viewer.transcript);
    await stalled.close();
  });
});
