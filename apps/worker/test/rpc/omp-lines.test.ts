// The lines of seeds/omp-rpc.txt that other tests do not quote, each held to a real worker.
import { describe, expect, it } from "vitest";
import { dig, only, startRig } from "../rig.ts";

describe("omp's commands, as its documentation writes them", () => {
  it('[W106] { id?, type: "prompt", message: string, images?: ImageContent[], streamingBehavior?: "steer" | "followUp" }', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "one" }, { text: "two" });
    const frames = await rig.worker.prompt("Summarize this repo");
    expect(only(frames, "done")).toHaveLength(1);
    const answer = await rig.worker.ask({
      id: "req_2",
      type: "prompt",
      message: "Also include risks",
      streamingBehavior: "followUp",
    });
    expect(answer).toMatchObject({ id: "req_2", command: "prompt", success: true });
    const bad = { type: "prompt", message: "x", streamingBehavior: "later" };
    expect(await rig.worker.ask(bad)).toMatchObject({ success: false });
  });

  it('[W106] { id?, type: "abort" } · { id?, type: "get_state" } · { id?, type: "get_messages" }', async () => {
    await using rig = await startRig();
    await rig.worker.prompt("hello");
    expect(await rig.worker.ask({ type: "abort" })).toMatchObject({ success: true });
    const state = await rig.worker.ask({ id: "q1", type: "get_state" });
    expect(state).toMatchObject({
      id: "q1",
      data: {
        thinkingLevel: expect.any(String),
        isStreaming: false,
        isCompacting: false,
        steeringMode: "one-at-a-time",
        followUpMode: "one-at-a-time",
        interruptMode: "immediate",
        sessionId: expect.any(String),
        autoCompactionEnabled: true,
        messageCount: 2,
        queuedMessageCount: 0,
      },
    });
    const { data } = await rig.worker.ask({ type: "get_messages" });
    expect(dig(data, "messages", 0, "content", 0, "text")).toBe("hello");
  });

  it.each([
    [
      "set_steering_mode",
      "steeringMode",
      "all",
      '{ id?, type: "set_steering_mode", mode: "all" | "one-at-a-time" }',
    ],
    [
      "set_follow_up_mode",
      "followUpMode",
      "all",
      '{ id?, type: "set_follow_up_mode", mode: "all" | "one-at-a-time" }',
    ],
    [
      "set_interrupt_mode",
      "interruptMode",
      "wait",
      '{ id?, type: "set_interrupt_mode", mode: "immediate" | "wait" }',
    ],
  ])("[W106] %s is in %s: %s, as in %s", async (type, field, mode) => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type, mode: "sometimes" })).toMatchObject({ success: false });
    expect(await rig.worker.ask({ type, mode })).toMatchObject({ success: true });
    expect(dig(await rig.worker.ask({ type: "get_state" }), "data", field)).toBe(mode);
  });

  it('[W106] { id?, type: "compact", customInstructions?: string }', async () => {
    await using rig = await startRig();
    for (const word of ["one", "two", "three"]) await rig.worker.prompt(word);
    rig.model.reply({ text: "what was said" });
    await rig.worker.ask({ type: "compact", customInstructions: "keep the numbers" });
    await rig.worker.next((frame) => frame.type === "compact_done");
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain("keep the numbers");
  });

  it("[W106] Extension UI responses with unknown `id` are ignored.", async () => {
    await using rig = await startRig();
    for (const answer of [
      // { type: "extension_ui_response", id: string, value: string }
      { type: "extension_ui_response", id: "nobody", value: "feature/rpc-host" },
      // { type: "extension_ui_response", id: string, confirmed: boolean }
      { type: "extension_ui_response", id: "nobody", confirmed: true },
      // { type: "extension_ui_response", id: string, cancelled: true }
      { type: "extension_ui_response", id: "nobody", cancelled: true },
    ])
      rig.worker.send(answer);
    const said = rig.worker.frames.length;
    expect(await rig.worker.ask({ type: "ping" })).toMatchObject({ success: true });
    expect(rig.worker.frames.slice(said)).toHaveLength(1);
  });
});
