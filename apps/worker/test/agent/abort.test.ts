// Abort, in each phase a turn can be in: what is seen, what is kept, and that nothing goes on.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dig, only, shape, startRig } from "../rig.ts";

describe("abort", () => {
  it("[W23] in the line after the prompt: it takes effect and the model is not called twice", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "never", hangBefore: "end" });
    rig.worker.send({ type: "prompt", message: "hi" });
    rig.worker.send({ type: "abort" });
    const frames = await rig.worker.turn(0);
    expect(shape(frames)).toEqual([
      "response",
      "response",
      "user_message",
      "turn_start",
      "turn_end(aborted)",
      "done",
    ]);
    expect(only(frames, "text_delta")).toEqual([]);
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { busy: false } });
  });

  it("[W23] while waiting for headers: turn_end{aborted}, done, no error", async () => {
    await using rig = await startRig();
    rig.model.reply({ hangBefore: "headers" });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.model.nextRequest();
    expect(await rig.worker.ask({ type: "abort" })).toMatchObject({ success: true });
    const frames = await rig.worker.turn(0);
    expect(shape(frames).filter((type) => type !== "response")).toEqual([
      "user_message",
      "turn_start",
      "turn_end(aborted)",
      "done",
    ]);
    expect(only(frames, "turn_end")[0]).toMatchObject({ error: "context canceled" });
    await rig.model.untilAborted(1);
  });

  it("[W23] while streaming text: usage, the partial answer, turn_end{aborted}, done; it stays in the transcript", async () => {
    await using rig = await startRig();
    rig.model.reply(
      { text: ["so ", "far ", "never"], hangAfterChunks: 2, usage: { input: 500 } },
      { text: "next" },
    );
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next((frame) => frame["delta"] === "far ");
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn(0);
    expect(shape(frames).slice(-4)).toEqual(["usage", "assistant_message", "turn_end(aborted)", "done"]);
    expect(only(frames, "usage")[0]).toMatchObject({ input: 500, cost_usd: expect.closeTo(0.001, 3) });
    expect(only(frames, "assistant_message")[0]).toMatchObject({
      content: [{ type: "text", text: "so far " }],
    });
    await rig.worker.prompt("and now?");
    expect(JSON.stringify(rig.model.requests[1]?.body)).toContain("so far ");
  });

  it("[W23] while streaming a tool call: the whole message is dropped and the tool never runs", async () => {
    await using rig = await startRig();
    rig.model.reply({
      text: ["I will"],
      toolCalls: [{ name: "bash", args: { command: "touch ran" }, chunks: 6 }],
      hangAfterChunks: 4,
    });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("tool_use_args");
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn(0);
    expect(shape(frames).slice(-3)).toEqual(["usage", "turn_end(aborted)", "done"]);
    expect(only(frames, "assistant_message")).toEqual([]);
    expect(only(frames, "tool_call")).toEqual([]);
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { message_count: 1 } });
    await expect(access(join(rig.directory, "ran"))).rejects.toThrow();
  });

  it("[W24] while tools run: each call gets a result, the rest do not run, no further turn_end", async () => {
    await using rig = await startRig();
    rig.model.reply({
      toolCalls: [
        { name: "bash", args: { command: "echo here; sleep 60" } },
        { name: "write", args: { path: "ran.txt", content: "x" } },
        { name: "bash", args: { command: "touch ran" } },
      ],
    });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("tool_progress");
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn(0);
    const results = only(frames, "tool_result");
    expect(results.map((frame) => frame["is_error"])).toEqual([true, true, true]);
    expect(dig(results[0], "content", 0, "text")).toMatch(/here\n\n\[exit -1\] aborted/);
    expect(results.slice(1).map((frame) => dig(frame, "content", 0, "text"))).toEqual(["aborted", "aborted"]);
    expect(shape(frames).filter((type) => type.startsWith("turn_end"))).toEqual(["turn_end(tool_use)"]);
    expect(shape(frames).at(-1)).toBe("done");
    await expect(access(join(rig.directory, "ran"))).rejects.toThrow();
    await expect(access(join(rig.directory, "ran.txt"))).rejects.toThrow();
    expect(rig.model.requests).toHaveLength(1);
    rig.model.reply({ text: "fine" });
    expect(shape(await rig.worker.prompt("go on"))).toContain("turn_end(end)");
  });

  it("[W25] only the running turn is aborted; the next one starts straight away", async () => {
    await using rig = await startRig();
    rig.model.reply({ hangBefore: "headers" }, { text: "second" });
    rig.worker.send({ type: "prompt", message: "one" });
    rig.worker.send({ type: "prompt", message: "two" });
    await rig.model.nextRequest();
    await rig.worker.ask({ type: "abort" });
    await rig.worker.next("done");
    expect(shape(await rig.worker.turn())).toContain("turn_end(end)");
  });

  it("[W23] during the pause before a retry: no further attempt is made", async () => {
    await using rig = await startRig({ env: { PATCHBAY_RETRY_DELAY_MS: "50000" } });
    rig.model.reply({ status: 503 }, { text: "never" });
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next("auto_retry_start");
    await rig.worker.ask({ type: "abort" });
    expect(shape(await rig.worker.turn(0))).toContain("turn_end(aborted)");
    expect(rig.model.requests).toHaveLength(1);
  });

  it("[W26] a compaction that is aborted says so: error{aborted}, done; the transcript stays", async () => {
    await using rig = await startRig();
    for (let count = 0; count < 3; count++) await rig.worker.prompt(`say ${count}`);
    const from = rig.worker.frames.length;
    rig.model.reply({ hangBefore: "headers" });
    const called = rig.model.requests.length;
    rig.worker.send({ type: "compact" });
    while (rig.model.requests.length === called) await rig.model.nextRequest();
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn(from);
    expect(shape(frames)).toEqual(["response", "response", "error", "done"]);
    expect(only(frames, "error")[0]).toMatchObject({ message: "aborted" });
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { message_count: 6, busy: false },
    });
  });
});
