// The requests to pi and omp about their state and settings, and what their responses become.
import { describe, expect, it } from "vitest";
import { idleState, model, openHarness } from "./harness.ts";

describe("hello and controls", () => {
  it("[O13] hello is answered from the program's state, with what it can do", () => {
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "hello", id: "p1", token: "secret" });
    expect(harness.sent).toEqual([{ type: "get_state", id: expect.any(String) }]);
    harness.answer("get_state", idleState);
    expect(harness.response("p1")?.["data"]).toMatchObject({
      protocol_version: 1,
      provider: "fake",
      model: "fake-chat",
    });
    expect(JSON.stringify(harness.sent)).not.toContain("secret");
    harness.answer("get_state", { ...idleState, thinkingLevel: "high" });
    expect(harness.of("settings")).toMatchObject([{ thinking_level: "high", auto_retry: true }]);
  });

  it("[O13] a model is found by its name, and an unknown one is refused in a sentence", () => {
    using harness = openHarness("omp");
    const models = [model, { ...model, id: "gate/way", provider: "router" }];
    harness.translation.toWorker({ type: "set_model", id: "a", model: "router/gate/way" });
    harness.answer("get_available_models", { models });
    expect(harness.lastSent("set_model")).toMatchObject({ provider: "router", modelId: "gate/way" });
    harness.answer("set_model", models[1]);
    expect(harness.response("a")).toMatchObject({
      success: true,
      data: { model: "gate/way", provider: "router" },
    });
    harness.translation.toWorker({ type: "set_model", id: "b", model: "nope" });
    harness.answer("get_available_models", { models });
    expect(harness.response("b")).toMatchObject({
      success: false,
      error: expect.stringContaining("no usable model nope"),
    });
    harness.translation.toWorker({ type: "get_models", id: "c" });
    harness.answer("get_available_models", { models });
    expect(harness.response("c")?.["data"]).toMatchObject({
      models: [{ id: "fake-chat", context_window: 128_000 }, {}],
    });
  });

  it("[O30] levels and the next model are answered as the built-in agent answers them", () => {
    using harness = openHarness("omp");
    harness.translation.toWorker({ type: "set_thinking_level", id: "a", level: "max" });
    expect(harness.lastSent("set_thinking_level")).toMatchObject({ level: "max" });
    harness.answer("set_thinking_level");
    harness.answer("get_state", { ...idleState, thinkingLevel: "high" });
    expect(harness.response("a")?.["data"]).toEqual({ level: "high" });
    harness.translation.toWorker({ type: "cycle_model", id: "b" });
    harness.answer("cycle_model", { model, thinkingLevel: "low", isScoped: true });
    expect(harness.response("b")?.["data"]).toMatchObject({
      model: { id: "fake-chat", provider: "fake", context_window: 128_000 },
      thinkingLevel: "low",
      isScoped: true,
    });
    for (const type of ["cycle_model", "cycle_thinking_level"]) {
      harness.translation.toWorker({ type, id: type });
      harness.answer(type, null); // there is only one
      expect(harness.response(type)).toMatchObject({ success: true, data: null });
    }
  });

  it("[O14] a value that a program would accept unchecked is refused and not sent", () => {
    using harness = openHarness("pi");
    const refused = [
      { type: "set_thinking_level", level: "bogus" },
      { type: "set_steering_mode", mode: "some" },
      { type: "switch_session", sessionPath: "/no/such/file.jsonl" },
      { type: "set_interrupt_mode", mode: "wait" },
      { type: "set_approval_mode", mode: "ask" },
      { type: "something_new" },
    ];
    for (const [index, command] of refused.entries())
      harness.translation.toWorker({ ...command, id: String(index) });
    expect(harness.sent).toEqual([]);
    expect(harness.of("response").map(({ success }) => success)).toEqual(refused.map(() => false));
    expect(harness.of("response").map(({ error }) => String(error))).toContain("pi does not support this.");
  });

  it("[O14] each program gets its own names of the commands", () => {
    using pi = openHarness("pi");
    using omp = openHarness("omp");
    for (const { translation } of [pi, omp]) {
      translation.toWorker({ type: "abort_bash", id: "a" });
      translation.toWorker({ type: "get_commands", id: "b" });
    }
    expect(pi.sent.map(({ type }) => type)).toEqual(["abort_bash", "get_commands"]);
    expect(omp.sent.map(({ type }) => type)).toEqual(["abort_bash", "get_available_commands"]);
    omp.answer("get_available_commands", {
      commands: [{ name: "x", description: "y", input: { hint: "<z>" } }],
    });
    expect(omp.response("b")?.["data"]).toEqual({
      commands: [{ name: "x", description: "y", source: "agent", hint: "<z>" }],
    });
    // pi 0.74 leaves out the id of a command it does not know.
    pi.write({
      type: "response",
      command: "get_commands",
      success: false,
      error: "Unknown command: get_commands",
    });
    expect(pi.response("b")).toMatchObject({ success: false });
  });

  it("[O14] a slash command is a prompt for the server to send", () => {
    using harness = openHarness("omp");
    harness.translation.toWorker({ type: "run_command", id: "a", name: "model", args: "fast", start: false });
    expect(harness.response("a")?.["data"]).toEqual({ action: "prompt", text: "/model fast" });
  });
});
