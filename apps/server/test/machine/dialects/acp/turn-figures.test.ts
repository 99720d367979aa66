// The tokens that agents report with the end of a prompt, in the form of each, and what becomes of them in the ledger.
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFigures } from "../../../../src/machine/dialects/acp/wire/turn-figures.ts";
import { openSession } from "../../../support/actor.ts";
import { acpAgent, frames, turn } from "./agent.ts";

/** As claude-agent-acp 0.100, codex-acp 2.6, opencode 1.18 and gemini-cli 0.61 answered a prompt of two calls. */
const responses = {
  claude: {
    usage: {
      ...{ inputTokens: 2000, outputTokens: 200, totalTokens: 3200 },
      ...{ cachedReadTokens: 900, cachedWriteTokens: 100 },
    },
    _meta: {
      quota: {
        token_count: { inputTokens: 2000, outputTokens: 200 },
        model_usage: [
          {
            model: "claude-opus-5-5",
            token_count: {
              ...{ totalTokens: 3200, inputTokens: 2000, cachedInputTokens: 900, cachedWriteTokens: 100 },
              ...{ outputTokens: 200, reasoningOutputTokens: 0 },
            },
          },
          {
            model: "claude-haiku-4-5",
            token_count: { totalTokens: 55, inputTokens: 50, outputTokens: 5, reasoningOutputTokens: 0 },
          },
        ],
      },
    },
  },
  codex: {
    usage: {
      ...{ totalTokens: 3200, inputTokens: 2000, cachedReadTokens: 900, cachedWriteTokens: 100 },
      ...{ outputTokens: 200, thoughtTokens: 150 },
    },
    _meta: {
      quota: {
        token_count: {},
        model_usage: [
          {
            model: "gpt-5.1-codex",
            token_count: {
              ...{ totalTokens: 3200, inputTokens: 2000, cachedInputTokens: 900, cacheWriteInputTokens: 100 },
              ...{ outputTokens: 200, reasoningOutputTokens: 150 },
            },
          },
        ],
      },
    },
  },
  opencode: {
    usage: {
      ...{ inputTokens: 1000, outputTokens: 100, totalTokens: 1650 },
      ...{ thoughtTokens: 50, cachedReadTokens: 500 },
    },
  },
  gemini: {
    _meta: {
      quota: {
        token_count: { input_tokens: 3000, output_tokens: 200 },
        model_usage: [{ model: "gemini-2.5-pro", token_count: { input_tokens: 3000, output_tokens: 200 } }],
      },
    },
  },
};

describe("the tokens of a prompt", () => {
  const whole = { isPartial: false };

  it("[I29] are read in the form of each agent: what is part of what, their total shows", () => {
    expect(readFigures(responses.claude)).toEqual([
      {
        ...{ model: "claude-opus-5-5", input: 2000, output: 200, cache_read: 900, cache_write: 100 },
        ...{ thinking: 0, ...whole },
      },
      {
        ...{ model: "claude-haiku-4-5", input: 50, output: 5, cache_read: 0, cache_write: 0 },
        ...{ thinking: 0, ...whole },
      },
    ]);
    expect(readFigures(responses.codex)).toEqual([
      {
        ...{ model: "gpt-5.1-codex", input: 2000, output: 200, cache_read: 900, cache_write: 100 },
        ...{ thinking: 150, ...whole },
      },
    ]);
    expect(readFigures(responses.opencode)).toEqual([
      {
        ...{ model: undefined, input: 1000, output: 150, cache_read: 500, cache_write: 0 },
        ...{ thinking: 50, ...whole },
      },
    ]);
    expect(readFigures(responses.gemini)).toEqual([
      {
        ...{ model: "gemini-2.5-pro", input: 3000, output: 200, cache_read: 0, cache_write: 0 },
        ...{ thinking: 0, isPartial: true },
      },
    ]);
    const inside = { inputTokens: 1000, cachedReadTokens: 400, outputTokens: 100, totalTokens: 1100 };
    expect(readFigures({ usage: inside })).toMatchObject([{ input: 600, cache_read: 400, output: 100 }]);
  });

  it("[I29] none, zeros and nonsense", () => {
    expect(readFigures({ stopReason: "end_turn" })).toBeUndefined();
    expect(
      readFigures({ usage: null, _meta: { quota: { token_count: null, model_usage: [] } } }),
    ).toBeUndefined();
    expect(readFigures({ usage: { inputTokens: 0, outputTokens: 0 } })).toEqual([]);
    expect(readFigures({ usage: "much", _meta: { quota: 7 } })).toBeUndefined();
    const nonsense = { inputTokens: -4, outputTokens: 1e300, cachedReadTokens: "x" };
    expect(readFigures({ usage: nonsense })).toEqual([]);
  });

  let server: RunningServer;
  beforeAll(async () => {
    const agents = ["claude", "codex", "opencode", "gemini", "unknown"];
    server = await startServer({
      config: {
        default_worker: "unknown",
        workers: Object.fromEntries(agents.map((name) => [name, acpAgent("plain", "compacts")])),
      },
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const used = (viewer: TestViewer) => frames(viewer).filter(({ type }) => type === "usage");
  const uses = (response: object) => `uses ${JSON.stringify(response)}`;
  interface Row {
    provider: string;
    model: string;
    input: number;
    output: number;
    cache_read: number;
    cache_write: number;
    cost_usd: number;
    unpriced: number;
  }
  const rows = async (viewer: TestViewer): Promise<Row[]> => {
    const { body } = await server.call(
      "GET",
      `/api/usage?group_by=provider,model&session=${viewer.session?.id}`,
    );
    return (body as { rows: Row[] }).rows;
  };

  it("[I29] of a known agent are those of its provider's models, with the price of the catalog", async () => {
    await using viewer = await openSession(server, { worker: "codex" });
    await turn(viewer, uses(responses.codex));
    expect(await rows(viewer)).toMatchObject([
      { provider: "openai", model: "gpt-5.1-codex", input: 2000, output: 200, cache_read: 900, unpriced: 0 },
    ]);
    expect(used(viewer)).toMatchObject([{ thinking: 150, purpose: "calls" }]);
    expect(viewer.session?.usage.cost_usd).toBeGreaterThan(0);
  });

  it("[I29] [I10] and the cost that the agent reports before them are one entry; the context is not their sum", async () => {
    await using viewer = await openSession(server, { worker: "claude" });
    await turn(viewer, uses({ ...responses.claude, cost: 0.25 }));
    expect(await rows(viewer)).toMatchObject([
      { provider: "anthropic", model: "claude-opus-5-5", input: 2050, output: 205, cost_usd: 0.25 },
    ]);
    expect(viewer.transcript.context_tokens).toBe(1200);
    await turn(viewer, uses({ ...responses.claude, cost: 0.5 }));
    expect(viewer.session?.usage).toMatchObject({ input: 4100, cost_usd: 0.75 });
  });

  it("[I29] of each model are an entry of their own where the agent reports no cost", async () => {
    await using viewer = await openSession(server, { worker: "claude" });
    await turn(viewer, uses(responses.claude));
    const inputs = (await rows(viewer)).map(({ model, input }) => [model, input]);
    expect(Object.fromEntries(inputs)).toEqual({ "claude-haiku-4-5": 50, "claude-opus-5-5": 2000 });
  });

  it("[I29] of the last call of several have no price of their own; thoughts that are left out make it an estimate", async () => {
    await using viewer = await openSession(server, { worker: "opencode" });
    await turn(viewer, uses(responses.opencode));
    await turn(viewer, uses({ ...responses.opencode, tools: 1 }));
    expect(used(viewer).map(({ incomplete = false }) => incomplete)).toEqual([false, true]);
    await using gemini = await openSession(server, { worker: "gemini" });
    await turn(gemini, uses(responses.gemini));
    const { cost_usd = 0, low_usd = 0, high_usd = 0, estimated } = gemini.session?.usage ?? {};
    expect(estimated).toBe(1);
    expect(low_usd).toBeGreaterThan(0);
    expect(low_usd).toBeLessThan(cost_usd);
    expect(cost_usd).toBeLessThan(high_usd);
  });

  it("[I30] a turn without figures is one call of unknown price; a command that calls no model is none", async () => {
    await using viewer = await openSession(server);
    const unpriced = () => viewer.session?.usage.unpriced ?? 0;
    const zero = {
      _meta: { quota: { token_count: { input_tokens: 0, output_tokens: 0 }, model_usage: [] } },
    };
    await turn(viewer, "say something");
    expect(unpriced()).toBe(1);
    await turn(viewer, uses(zero));
    expect(unpriced()).toBe(2);
    await turn(viewer, uses({ ...zero, answer: "" }));
    expect(unpriced()).toBe(3);
    await turn(viewer, uses({ answer: "", tools: 1, stopReason: "cancelled" }));
    expect(unpriced()).toBe(4);
    await turn(viewer, "/about");
    expect(unpriced()).toBe(4);
    expect(await turn(viewer, "fail")).not.toBe("");
    expect(unpriced()).toBe(4);
  });

  it("[I30] nor is a sum that stays at 0 a price", async () => {
    await using viewer = await openSession(server, { worker: "opencode" });
    await turn(viewer, uses({ cost: 0 }));
    expect(viewer.session?.usage.unpriced).toBe(1);
    await turn(viewer, uses({ ...responses.codex, cost: 0 }));
    expect((await rows(viewer)).reduce((sum, { input }) => sum + input, 0)).toBeGreaterThanOrEqual(2000);
  });
});
