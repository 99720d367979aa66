// Messages into a running turn, and what waits behind it: omp's commands, one by one.
import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, shape, startRig } from "../rig.ts";

const said = (frames: readonly { type: string }[]): unknown[] =>
  frames.flatMap((frame) => (frame.type === "user_message" ? [dig(frame, "content", 0, "text")] : []));

/** A turn that is in the middle of a tool until the file `go` exists. */
async function startWaitingTool(rig: Rig, ...more: { name: string; args: unknown }[]): Promise<void> {
  const wait = { name: "bash", args: { command: "echo here; until [ -e go ]; do sleep 0.02; done" } };
  rig.model.reply({ toolCalls: [wait, ...more] });
  rig.worker.send({ type: "prompt", message: "work" });
  await rig.worker.next("tool_progress");
}

const release = (rig: Rig): Promise<unknown> =>
  import("node:fs/promises").then(({ writeFile }) => writeFile(join(rig.directory, "go"), ""));

describe("steer", () => {
  it('[W60] `{ id?, type: "steer", message: string, images?: ImageContent[] }`: the rest of the step is skipped, and it takes effect in the same turn', async () => {
    await using rig = await startRig();
    await startWaitingTool(rig, { name: "bash", args: { command: "touch ran" } });
    rig.model.reply({ text: "as you say" });
    expect(await rig.worker.ask({ type: "steer", message: "stop that" })).toMatchObject({
      success: true,
      data: { started: false, steered: true },
    });
    await release(rig);
    const frames = await rig.worker.turn(0);
    expect(shape(frames).filter((type) => type !== "response")).toEqual(
      `user_message turn_start assistant_start tool_use_start tool_use_args tool_use_end tool_use_start tool_use_args
       tool_use_end usage assistant_message tool_call tool_call turn_end(tool_use) tool_progress queue_update
       tool_result tool_result user_message queue_update
       turn_start assistant_start text_delta usage assistant_message turn_end(end) done`.split(/\s+/),
    );
    expect(only(frames, "user_message")[1]).toMatchObject({
      content: [{ type: "text", text: "stop that" }],
      steering: true,
    });
    expect(only(frames, "queue_update")).toMatchObject([
      { steering: ["stop that"], follow_up: [] },
      { steering: [], follow_up: [] },
    ]);
    expect(only(frames, "tool_result")[1]).toMatchObject({
      is_error: true,
      content: [{ text: "Skipped due to queued user message." }],
    });
    await expect(access(join(rig.directory, "ran"))).rejects.toThrow();
    expect(rig.model.requests[1]?.userText).toBe("stop that");
    const messages = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(messages).toMatchObject(
      ["user", "assistant", "tool", "user", "assistant"].map((role) => ({ role })),
    );
  });

  it('[W61] `"wait"`: defer steering until turn completion: all tools of the step run', async () => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type: "set_interrupt_mode", mode: "wait" })).toMatchObject({
      success: true,
    });
    await startWaitingTool(rig, { name: "bash", args: { command: "touch ran" } });
    rig.model.reply({ text: "yes" });
    await rig.worker.ask({ type: "steer", message: "and then" });
    await release(rig);
    const frames = await rig.worker.turn(0);
    expect(only(frames, "tool_result").map((frame) => frame["is_error"])).toEqual([false, false]);
    await access(join(rig.directory, "ran"));
    expect(said(frames)).toEqual(["work", "and then"]);
  });

  it("[W60] while the last answer is streamed: the turn goes on with it instead of ending", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "one", hangBefore: "end" }, { text: "two" });
    rig.worker.send({ type: "prompt", message: "first" });
    await rig.worker.next("text_delta");
    await rig.worker.ask({ type: "steer", message: "more" });
    rig.model.release();
    const frames = await rig.worker.turn(0);
    expect(said(frames)).toEqual(["first", "more"]);
    expect(only(frames, "turn_start").map((frame) => frame["step"])).toEqual([1, 2]);
    expect(only(frames, "done")).toHaveLength(1);
  });

  it('[W62] `"one-at-a-time"`: dequeue one queued message per turn; `"all"`: dequeue entire queue at once', async () => {
    for (const [mode, calls] of [
      ["one-at-a-time", 3],
      ["all", 2],
    ] as const) {
      await using rig = await startRig();
      await rig.worker.ask({ type: "set_steering_mode", mode });
      rig.model.reply({ text: "one", hangBefore: "end" });
      rig.worker.send({ type: "prompt", message: "first" });
      await rig.worker.next("text_delta");
      await rig.worker.ask({ type: "steer", message: "a" });
      await rig.worker.ask({ type: "steer", message: "b" });
      expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
        data: { steeringMode: mode, queuedMessageCount: 2, isStreaming: true },
      });
      rig.model.release();
      expect(said(await rig.worker.turn(0))).toEqual(["first", "a", "b"]);
      expect(rig.model.requests).toHaveLength(calls);
    }
  });

  it("[W63] when idle it starts a turn at once; asked with ifRunning it is refused instead", async () => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type: "steer", message: "x", ifRunning: true })).toMatchObject({
      success: false,
      error: "no turn is running",
    });
    rig.model.reply({ text: "hello" });
    const from = rig.worker.frames.length;
    const answer = rig.worker.ask({ type: "steer", message: "hi", key: "k1" });
    const frames = await rig.worker.turn(from);
    expect(await answer).toMatchObject({ success: true, data: { started: true } });
    expect(only(frames, "user_message")).toMatchObject([{ key: "k1" }]);
    expect(frames.at(-2)).toMatchObject({ stop: "end" });
  });

  it("[W64] an abort keeps what was not delivered: it is not run, stays shown, and goes ahead of the next prompt", async () => {
    await using rig = await startRig();
    await startWaitingTool(rig);
    await rig.worker.ask({ type: "steer", message: "left over" });
    await rig.worker.ask({ type: "abort" });
    const aborted = await rig.worker.turn(0);
    expect(said(aborted)).toEqual(["work"]);
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { busy: false, queuedMessageCount: 1 },
    });
    rig.model.reply({ text: "both" });
    const frames = await rig.worker.prompt("go on");
    expect(said(frames)).toEqual(["left over", "go on"]);
    expect(only(frames, "queue_update").at(-1)).toMatchObject({ steering: [] });
  });

  it("[W65] what waits is bounded, and an empty message is refused", async () => {
    await using rig = await startRig();
    rig.model.reply({ hangBefore: "headers" });
    rig.worker.send({ type: "prompt", message: "busy" });
    await rig.model.nextRequest();
    for (let count = 0; count < 64; count++) rig.worker.send({ type: "steer", message: `s${count}` });
    expect(await rig.worker.ask({ type: "steer", message: "one too many" })).toMatchObject({
      success: false,
      error: expect.stringContaining("too many"),
    });
    for (const type of ["steer", "follow_up", "abort_and_prompt"]) {
      expect(await rig.worker.ask({ type, message: " " })).toMatchObject({
        success: false,
        error: expect.stringContaining("empty"),
      });
    }
  });

  it("[W60] during a compaction it begins the next turn, before what waits", async () => {
    await using rig = await startRig();
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    rig.model.reply({ text: "## Goal\nx", hangBefore: "headers" });
    const from = rig.worker.frames.length;
    const calls = rig.model.requests.length;
    rig.worker.send({ type: "compact" });
    while (rig.model.requests.length === calls) await rig.model.nextRequest();
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { isCompacting: true, isStreaming: false },
    });
    rig.worker.send({ type: "follow_up", message: "later" });
    rig.worker.send({ type: "steer", message: "sooner" });
    await rig.worker.ask({ type: "ping" });
    rig.model.release();
    await rig.worker.turn(from);
    await rig.worker.turn();
    await rig.worker.turn();
    expect(said(rig.worker.frames.slice(from))).toEqual(["sooner", "later"]);
  });
});

describe("follow_up", () => {
  it('[W66] `{ id?, type: "follow_up", message: string, images?: ImageContent[] }`: answered at once, a turn of its own when the running one is over', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "one", hangBefore: "end" }, { text: "two" }, { text: "three" });
    rig.worker.send({ type: "prompt", message: "first" });
    await rig.worker.next("text_delta");
    for (const message of ["second", "third"]) {
      expect(await rig.worker.ask({ type: "follow_up", message })).toMatchObject({
        success: true,
        data: { started: false, queued: true },
      });
    }
    expect(only(rig.worker.frames, "queue_update").at(-1)).toMatchObject({
      steering: [],
      follow_up: ["second", "third"],
    });
    rig.model.release();
    for (let turn = 0; turn < 3; turn++) await rig.worker.next("done");
    expect(said(rig.worker.frames)).toEqual(["first", "second", "third"]);
    expect(only(rig.worker.frames, "queue_update").at(-1)).toMatchObject({ follow_up: [] });
  });

  it("[W66] follow_up_mode all: what waits side by side begins one turn", async () => {
    await using rig = await startRig();
    await rig.worker.ask({ type: "set_follow_up_mode", mode: "all" });
    rig.model.reply({ text: "one", hangBefore: "end" }, { text: "two" });
    rig.worker.send({ type: "prompt", message: "first" });
    await rig.worker.next("text_delta");
    for (const message of ["second", "third"]) await rig.worker.ask({ type: "follow_up", message });
    rig.model.release();
    await rig.worker.turn(0);
    const frames = await rig.worker.turn();
    expect(said(frames)).toEqual(["second", "third"]);
    expect(only(frames, "turn_start")).toHaveLength(1);
    expect(rig.model.requests).toHaveLength(2);
  });

  it("[W66] when idle it starts at once", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "hello" });
    const answer = rig.worker.ask({ type: "follow_up", message: "hi" });
    expect(shape(await rig.worker.turn(0))).toContain("turn_end(end)");
    expect(await answer).toMatchObject({ data: { started: true } });
  });
});

describe("prompt while a turn is running", () => {
  it('[W67] `"steer"` => queued steering message (interrupt path); `"followUp"` => queued follow-up message (post-turn path); without, zot\'s queue', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "one", hangBefore: "end" });
    rig.worker.send({ type: "prompt", message: "first" });
    await rig.worker.next("text_delta");
    rig.worker.send({ type: "prompt", message: "plain" });
    const ask = (message: string, streamingBehavior: string) =>
      rig.worker.ask({ type: "prompt", message, streamingBehavior });
    expect(await ask("Also include risks", "followUp")).toMatchObject({ data: { queued: true } });
    expect(await ask("now", "steer")).toMatchObject({ data: { steered: true } });
    expect(await ask("x", "sometimes")).toMatchObject({ success: false });
    rig.model.release();
    for (let turn = 0; turn < 3; turn++) await rig.worker.next("done");
    expect(said(rig.worker.frames)).toEqual(["first", "now", "plain", "Also include risks"]);
  });

  it("[W66] several prompts may begin one turn: what the server hands over together", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "both" });
    const frames = await rig.worker.prompt("one", { key: "a", also: [{ message: "two", key: "b" }] });
    expect(only(frames, "user_message").map((frame) => frame["key"])).toEqual(["a", "b"]);
    expect(only(frames, "turn_start")).toHaveLength(1);
    expect(JSON.stringify(rig.model.requests[0]?.body)).toMatch(/one.*two/s);
  });
});

describe("abort_and_prompt", () => {
  it('[W68] `{ id?, type: "abort_and_prompt", message: string, images?: ImageContent[] }`: acknowledged immediately, runs before what waits', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: ["so ", "far"], hangAfterChunks: 1 }, { text: "new" }, { text: "late" });
    rig.worker.send({ type: "prompt", message: "old" });
    await rig.worker.next("text_delta");
    rig.worker.send({ type: "follow_up", message: "later" });
    expect(await rig.worker.ask({ type: "abort_and_prompt", message: "instead" })).toMatchObject({
      success: true,
    });
    expect(shape(await rig.worker.turn(0))).toContain("turn_end(aborted)");
    expect(said(await rig.worker.turn())).toEqual(["instead"]);
    expect(said(await rig.worker.turn())).toEqual(["later"]);
  });

  it("[W68] when idle it is a prompt", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "fine" });
    rig.worker.send({ type: "abort_and_prompt", message: "hi" });
    expect(shape(await rig.worker.turn(0))).toEqual(
      `response user_message turn_start assistant_start text_delta usage assistant_message turn_end(end) done`.split(
        " ",
      ),
    );
  });
});
