// Turns in which the agent is silent for long: shown with the time of its last sign, unless a tool or a person is what it waits for.
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { Silence } from "../../../src/session/silence.ts";
import { acpAgent } from "../../machine/dialects/acp/agent.ts";
import { attach, openSession } from "../../support/actor.ts";

describe("a silent turn", () => {
  it("[K30] is silent from its last frame on, once that is long ago", () => {
    const silence = new Silence(30_000);
    const at = (seq: number, now: number, waitsForModel = true) => [
      silence.check({ seq, waitsForModel }, now),
      silence.since(seq),
    ];
    const since = new Date(5_000).toISOString();
    expect(at(7, 5_000)).toEqual([false, undefined]);
    expect(at(7, 34_000)).toEqual([false, undefined]);
    expect(at(7, 35_000)).toEqual([true, since]);
    expect(at(7, 40_000)).toEqual([false, since]);
    expect(silence.since(8)).toBeUndefined();
    expect(at(8, 45_000)).toEqual([true, undefined]);
    expect(at(8, 80_000, false)).toEqual([false, undefined]);
    expect(at(8, 100_000)).toEqual([false, undefined]); // the tool has just ended
    expect(at(8, 110_000)).toEqual([true, new Date(80_000).toISOString()]);
  });

  it("[K30] is shown to every viewer, and a stop ends it; a tool or a question that takes long is no silence", async () => {
    await using server = await startServer({
      config: {
        default_worker: "agent",
        workers: { agent: acpAgent("steers") },
        limits: { turn_silence_ms: 300 },
      },
    });
    await using tool = await openSession(server);
    await using question = await openSession(server);
    await using idle = await openSession(server);
    await using viewer = await openSession(server);
    tool.send({ type: "prompt", message: "steerable tool" });
    await tool.until(() => tool.frames.some((frame) => frame.includes('"tool_call"')));
    question.send({ type: "prompt", message: "permit" });
    await question.state("waiting");
    const before = Date.now();
    viewer.send({ type: "prompt", message: "hang" });
    await viewer.until(() => viewer.session?.silent_since !== undefined);
    const since = Date.parse(String(viewer.session?.silent_since));
    expect(since).toBeGreaterThanOrEqual(before - 1_000);
    expect(since).toBeLessThan(Date.now());
    await using late = await attach(server, String(viewer.session?.id));
    expect(late.session?.silent_since).toBe(viewer.session?.silent_since);
    for (const other of [tool, question, idle]) expect(other.session?.silent_since).toBeUndefined();
    expect(await viewer.ask({ type: "abort" })).toMatchObject({ success: true });
    await viewer.state("idle");
    expect(viewer.session?.silent_since).toBeUndefined();
    expect(viewer.session?.last_turn).toBe("stopped");
  });
});
