// The real pi and omp against the fake model, where `npm run agents` has installed them: the same turns as recorded.
import { messageText } from "@patchbay/protocol";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { openSession } from "../../../support/actor.ts";
import { findAgent, startRealAgent } from "../../../support/real-agents.ts";
import { grammar, turn, turns } from "../recorded.ts";

/** 16 KiB that repeat nothing: omp stops a model that does. */
const noise = (seed: number): string =>
  Array.from({ length: 1_600 }, (_, at) =>
    Math.abs(Math.sin(seed * 1_600 + at + 1))
      .toString(36)
      .slice(2, 11),
  ).join(" ");

// One test for each program: starting one takes up to ten seconds on a busy machine.
describe.each(["pi", "omp"] as const)("%s itself", (name) => {
  const program = findAgent(name);
  it("[O1] [O2] [O3] [O4] [O5] [O15] [O16] [O17] [O19] answers, runs tools, is steered, stopped and sent back, and continues", {
    ...unless(program === undefined ? "the real agents are not installed (npm run agents)" : null),
    timeout: 180_000,
  }, async () => {
    await using model = await startFakeModel();
    await using server = await startRealAgent(name, program ?? "", model);
    await using viewer = await openSession(server, { model: "fake/fake-chat" });
    expect(viewer.session).toMatchObject({ state: "idle", provider: "fake", model: "fake-chat" });

    model.reply({ text: ["Hel", "lo ", "\u2028😀"], usage: { input: 1000, output: 100 } });
    await turn(viewer, "say hello");
    expect(viewer.transcript.messages.map(messageText)).toEqual(["say hello", "Hello \u2028😀"]);
    expect(viewer.transcript.usage).toMatchObject({ input: 1000, output: 100, cost_usd: 0.0045 });

    const calls = ["echo one", "echo two"].map((command) => ({ name: "bash", args: { command } }));
    model.reply({ toolCalls: calls }, { text: "Both ran." });
    await turn(viewer, "run both");
    const results = viewer.transcript.messages.find(({ role }) => role === "tool");
    expect(JSON.stringify(results)).toMatch(/one\\n.*two\\n/);

    model.reply({ text: ["a", "b", "c"], hangAfterChunks: 2 });
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.until(() => grammar(viewer).lastIndexOf("text_delta") > grammar(viewer).lastIndexOf("done"));
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 3);
    expect(turns(viewer)[2]).toMatchObject({ stop: "aborted", error: null });

    model.reply({ toolCalls: [{ name: "bash", args: { command: "sleep 60" } }] });
    await viewer.ask({ type: "prompt", message: "sleep" });
    await viewer.until(
      () => grammar(viewer).at(-1) === "turn_end" || grammar(viewer).at(-1) === "tool_progress",
    );
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer).length === 4);
    expect(turns(viewer)[3]).toMatchObject({ stop: "aborted" });

    model.reply({ status: 401 });
    await turn(viewer, "no key");
    expect(turns(viewer)[4]).toMatchObject({ stop: "error", error: expect.stringContaining("401") });

    model.reply({ toolCalls: [{ name: "bash", args: { command: "sleep 1" } }] }, { text: "Turned left." });
    await viewer.ask({ type: "prompt", message: "go on" });
    await viewer.until(
      () => grammar(viewer).at(-1) === "turn_end" || grammar(viewer).at(-1) === "tool_progress",
    );
    await viewer.ask({ type: "steer", message: "turn left" });
    await viewer.until(() => viewer.transcript.messages.map(messageText).includes("Turned left."));
    expect(viewer.transcript.messages.map(messageText)).toContain("turn left");
    await viewer.state("idle");

    const shell = await viewer.ask({ type: "bash", command: "echo from the shell" });
    expect(shell.data).toMatchObject({ output: "from the shell\n", exit_code: 0 });

    const before = viewer.transcript.messages.map(messageText);
    const second = viewer.transcript.messages.find((message) => messageText(message) === "run both");
    const back = await viewer.ask({ type: "branch", entryId: second?.entry_id });
    expect(back).toMatchObject({ success: true, data: { text: "run both" } });
    expect(viewer.transcript.messages).toHaveLength(2);
    model.reply({ text: "Another way." });
    await turn(viewer, "instead");
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("run both");
    expect(viewer.transcript.messages.map(messageText).slice(2)).toEqual(["instead", "Another way."]);
    const walked = await viewer.ask({ type: "switch_branch", branch: "main" });
    expect(walked).toMatchObject({ success: true });
    expect(viewer.transcript.messages.map(messageText)).toEqual(before);

    const pieces = Array.from({ length: 64 }, (_, index) => noise(index));
    model.reply({ text: pieces, usage: { input: 100, output: 100 } });
    const seen = viewer.frames.length;
    await turn(viewer, "a megabyte");
    expect(viewer.transcript.messages.map(messageText).at(-1)).toBe(pieces.join(""));
    const bytes = viewer.frames.slice(seen).reduce((sum, frame) => sum + frame.length, 0);
    expect(bytes).toBeLessThan(1.3 * pieces.join("").length);
  });
});
