// Thinking, models and modes: omp's commands that change how a session works, and what is told of them.
import { describe, expect, it } from "vitest";
import { dig, environments, only, startRig } from "../rig.ts";

describe("thinking levels", () => {
  it('[W78] `{ id?, type: "set_thinking_level", level: ThinkingLevel }`: sent as the model knows it, from the next call on', async () => {
    await using rig = await startRig({ args: ["--model", "claude-haiku-4-5"] });
    const budget = () => dig(rig.model.requests.at(-1)?.body, "thinking", "budget_tokens");
    await rig.worker.prompt("off");
    expect(budget()).toBeUndefined();
    const budgets: number[] = [];
    for (const level of ["minimal", "low", "medium", "high"]) {
      expect(await rig.worker.ask({ type: "set_thinking_level", level })).toMatchObject({
        success: true,
        data: { level },
      });
      await rig.worker.prompt(level);
      budgets.push(Number(budget()));
    }
    expect(budgets).toEqual([...budgets].sort((a, b) => a - b));
    expect(new Set(budgets).size).toBe(4);
    expect(only(rig.worker.frames, "settings").map((frame) => frame["thinking_level"])).toEqual([
      "minimal",
      "low",
      "medium",
      "high",
    ]);
    expect(await rig.worker.ask({ type: "set_thinking_level", level: "bogus" })).toMatchObject({
      success: false,
    });
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { thinkingLevel: "high", reasoning: "high" },
    });
  });

  it.each([
    ["openai", "gpt-5.5", (body: unknown) => dig(body, "reasoning", "effort")],
    ["google", "gemini-2.5-flash", (body: unknown) => dig(body, "generationConfig", "thinkingConfig")],
  ])("[W78] %s is told in its own words", async (provider, model, told) => {
    await using rig = await startRig({ provider, args: ["--model", `${provider}/${model}`] });
    await rig.worker.ask({ type: "set_thinking_level", level: "low" });
    await rig.worker.prompt("hi");
    const low = told(rig.model.requests.at(-1)?.body);
    await rig.worker.ask({ type: "set_thinking_level", level: "high" });
    await rig.worker.prompt("hi");
    const high = told(rig.model.requests.at(-1)?.body);
    expect(low).toBeDefined();
    expect(high).not.toEqual(low);
  });

  it('[W79] `{ id?, type: "cycle_thinking_level" }`: the levels the model has, round and round; null where there is one', async () => {
    await using rig = await startRig({ args: ["--model", "claude-haiku-4-5"] });
    const models = dig(await rig.worker.ask({ type: "get_available_models" }), "data", "models");
    const own = Array.isArray(models)
      ? models.find((model) => dig(model, "id") === "claude-haiku-4-5")
      : null;
    const levels = dig(own, "thinking_levels");
    expect(levels).toEqual(["off", "minimal", "low", "medium", "high"]);
    const seen: unknown[] = [];
    for (let count = 0; count < 5; count++) {
      seen.push(dig(await rig.worker.ask({ type: "cycle_thinking_level" }), "data", "level"));
    }
    expect(seen).toEqual(["minimal", "low", "medium", "high", "off"]);
    expect(await rig.worker.ask({ type: "set_reasoning", reasoning: "max" })).toMatchObject({
      data: { reasoning: "high" },
    });
    expect(await rig.worker.ask({ type: "set_reasoning", reasoning: "minimum" })).toMatchObject({
      data: { reasoning: "minimal" },
    });
    await using plain = await startRig({ provider: "openai", args: ["--model", "gpt-4.1"] });
    expect(await plain.worker.ask({ type: "cycle_thinking_level" })).toMatchObject({
      success: true,
      data: null,
    });
    expect(await plain.worker.ask({ type: "set_thinking_level", level: "high" })).toMatchObject({
      data: { level: "off" },
    });
  });
});

describe("models", () => {
  it('[W80] `{ id?, type: "set_model", provider: string, modelId: string }`; "Model not found: provider/model"', async () => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type: "set_model", provider: "provider", modelId: "model" })).toMatchObject(
      { success: false, error: "Model not found: provider/model" },
    );
    expect(await rig.worker.ask({ type: "set_model", provider: "openai", modelId: "gpt-4.1" })).toMatchObject(
      { success: false, error: "Model not found: openai/gpt-4.1" },
    );
    expect(
      await rig.worker.ask({ type: "set_model", provider: "anthropic", modelId: "claude-haiku-4-5" }),
    ).toMatchObject({ success: true, data: { provider: "anthropic", model: "claude-haiku-4-5" } });
    expect(only(rig.worker.frames, "settings")).toMatchObject([
      { provider: "anthropic", model: "claude-haiku-4-5" },
    ]);
    expect(await rig.worker.ask({ type: "set_model" })).toMatchObject({
      success: false,
      error: "needs a model, or a provider and a modelId",
    });
  });

  it('[W80] `{ id?, type: "cycle_model" }` and `{ id?, type: "get_available_models" }`: every provider there is access to', async () => {
    const env = environments("http://127.0.0.1:9")["openai-compatible"] ?? {};
    await using rig = await startRig({ env: { ...env, OPENAI_COMPATIBLE_MODELS: "llama,qwen" } });
    const answer = await rig.worker.ask({ type: "get_available_models" });
    const models = dig(answer, "data", "models");
    expect(models).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "claude-haiku-4-5", provider: "anthropic", contextWindow: 200_000 }),
        expect.objectContaining({ id: "qwen", provider: "openai-compatible" }),
        expect.objectContaining({ provider: "demo" }),
      ]),
    );
    await rig.worker.ask({ type: "set_model", provider: "openai-compatible", modelId: "qwen" });
    expect(await rig.worker.ask({ type: "cycle_model" })).toMatchObject({
      data: { model: { provider: "demo" }, thinkingLevel: "off", isScoped: false },
    });
    expect(await rig.worker.ask({ type: "cycle_model" })).toMatchObject({
      data: { model: { provider: "anthropic" } },
    });
    await using alone = await startRig({ provider: "none" });
    expect(await alone.worker.ask({ type: "cycle_model" })).toMatchObject({ success: true, data: null });
  });
});

describe("what is told", () => {
  it("[W81] get_state has every field of omp's payload, the model's under a name of its own", async () => {
    await using rig = await startRig();
    await rig.worker.ask({ type: "set_steering_mode", mode: "all" });
    await rig.worker.ask({ type: "set_interrupt_mode", mode: "wait" });
    expect(dig(await rig.worker.ask({ type: "get_state" }), "data")).toMatchObject({
      provider: "anthropic",
      model: expect.any(String),
      active_model: { provider: "anthropic", id: expect.any(String) },
      thinkingLevel: "off",
      isStreaming: false,
      isCompacting: false,
      steeringMode: "all",
      followUpMode: "one-at-a-time",
      interruptMode: "wait",
      sessionId: expect.any(String),
      autoCompactionEnabled: true,
      messageCount: 0,
      queuedMessageCount: 0,
    });
  });

  it("[W81] every change tells the whole set, and a fresh worker takes it back and tells how it stands", async () => {
    await using rig = await startRig();
    await rig.worker.ask({ type: "set_follow_up_mode", mode: "all" });
    await rig.worker.ask({ type: "set_auto_retry", enabled: false });
    await rig.worker.ask({ type: "set_thinking_level", level: "low" });
    const { type: _type, ...settings } = only(rig.worker.frames, "settings").at(-1) ?? { type: "" };
    expect(settings).toMatchObject({
      provider: "anthropic",
      steering_mode: "one-at-a-time",
      follow_up_mode: "all",
      interrupt_mode: "immediate",
      auto_compaction: true,
      auto_retry: false,
      thinking_level: "low",
    });
    await using next = await startRig();
    await next.worker.ask({ type: "restore_settings", settings: { ...settings, steering_mode: "never" } });
    expect(only(next.worker.frames, "settings")).toMatchObject([settings]);
  });
});
