// The ledger against the bill of a model server whose calls are cut at any byte, for every provider's format. What a provider
// charges for a cut call is told to nobody: the entry must be unknown or estimated, and its bounds must contain the charge.
import { type FakeModel, type Reply, startFakeModel, type Tokens } from "@patchbay/testing/fake-model";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Catalog } from "../../src/costs/prices/catalog.ts";
import { costNanos } from "../../src/costs/prices/rates.ts";
import { attach, createSession } from "../support/actor.ts";

/** All wire formats: Messages, Responses, generateContent, Chat Completions. */
const models = [
  "anthropic/claude-haiku-4-5",
  "openai/gpt-4.1",
  "google/gemini-2.5-flash",
  "deepseek/deepseek-flash",
] as const;
const ends = [
  "whole",
  "abort",
  "broken stream",
  "kill worker",
  "kill server",
  "stop",
  "delete",
  "abort compaction",
] as const;
type End = (typeof ends)[number];

/** PATCHBAY_CUT_RUNS=200 npx vitest run apps/server/test/projections/cut-calls.test.ts */
const runs = Number(process.env["PATCHBAY_CUT_RUNS"]) || 12;
interface Cut {
  /** A byte of the answer, as a share of it; null: before the provider answers. */
  at: number | null;
  /** All that was sent is in the provider's cache. */
  isCached: boolean;
}

/** Here every format has sent some of the answer. */
const seenAt = 0.3;
const words = Array.from({ length: 40 }, (_, index) => `word ${index} of the answer, `);
const answer: Reply = {
  thinking: ["Let me ", "think about it for a while."],
  text: words,
  toolCalls: [{ name: "ls", args: { path: "a directory with a long name" }, chunks: 4 }],
};

describe("the ledger and the bill of calls that were cut", () => {
  let model: FakeModel;
  let server: RunningServer;
  beforeAll(async () => {
    model = await startFakeModel();
    const key = "not-a-real-key";
    server = await startServer({
      env: {
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
        OPENAI_API_KEY: key,
        OPENAI_BASE_URL: `${model.baseUrl}/openai/v1`,
        GEMINI_API_KEY: key,
        GOOGLE_BASE_URL: `${model.baseUrl}/google/v1beta`,
        DEEPSEEK_API_KEY: key,
        DEEPSEEK_BASE_URL: `${model.baseUrl}/deepseek`,
        PATCHBAY_RETRY_DELAY_MS: "1",
      },
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  interface Sums {
    calls: number;
    cost: number;
    low: number;
    high: number;
    estimated: number;
    unpriced: number;
  }

  async function ledgerOf(session: string): Promise<Sums> {
    const { body } = await server.call("GET", `/api/usage?session=${session}`);
    const { total } = body as { total: Record<string, number> };
    const nanos = (name: string): number => Math.round((total[name] ?? 0) * 1e9);
    return {
      calls: total["calls"] ?? 0,
      cost: nanos("cost_usd"),
      low: nanos("low_usd"),
      high: nanos("high_usd"),
      estimated: total["estimated"] ?? 0,
      unpriced: total["unpriced"] ?? 0,
    };
  }

  /** A reply that waits at a byte; null: before the provider answers. */
  const waiting = ({ at, isCached }: Cut): Reply => ({
    ...answer,
    ...(isCached ? { usage: { input: 0, cache_read: 3_000 } } : {}),
    ...(at === null ? { hangBefore: "headers" } : { hangAt: at }),
  });

  async function begin(viewer: TestViewer, cut: Cut): Promise<void> {
    const { waited } = model;
    const { at } = cut;
    model.reply(waiting(cut));
    await viewer.ask({ type: "prompt", message: "go on" });
    await Promise.all([
      model.untilWaited(waited + 1),
      viewer.until(() => (viewer.transcript.partial?.step ?? 0) > 0),
    ]);
    if (at !== null && at >= seenAt)
      await viewer.until(() => viewer.transcript.partial?.content.length !== 0);
  }

  async function endCall(session: string, viewer: TestViewer, end: End, cut: Cut): Promise<void> {
    const turns = (): number => viewer.transcript.marks.filter(({ kind }) => kind === "turn").length;
    const idle = async (): Promise<void> => {
      await viewer.until(() => turns() > 0);
      await viewer.state("idle");
    };
    const { aborted } = model;
    switch (end) {
      case "whole":
        model.reply({ text: words });
        await viewer.ask({ type: "prompt", message: "go on" });
        return idle();
      case "broken stream": // and tried again
        model.reply({ ...answer, cutAt: cut.at ?? 0 }, { text: words });
        await viewer.ask({ type: "prompt", message: "go on" });
        return idle();
      case "abort":
        await begin(viewer, cut);
        await viewer.ask({ type: "abort" });
        await idle();
        break;
      case "kill worker":
        await begin(viewer, cut);
        process.kill(Number(viewer.session?.pid), "SIGKILL");
        await viewer.state("failed");
        break;
      case "kill server":
        await begin(viewer, cut);
        await server.kill();
        await server.start();
        (await attach(server, session)).cut();
        break;
      case "stop":
        await begin(viewer, cut);
        await server.call("POST", `/api/sessions/${session}/stop`);
        break;
      case "delete":
        await begin(viewer, cut);
        await server.call("DELETE", `/api/sessions/${session}`);
        break;
      case "abort compaction": {
        for (let turn = 1; turn <= 3; turn++) {
          model.reply({ text: "ok" });
          await viewer.ask({ type: "prompt", message: "go on" });
          await viewer.until(() => turns() === turn);
          await viewer.state("idle");
        }
        const { waited } = model;
        model.reply(waiting(cut));
        await viewer.ask({ type: "compact" });
        await model.untilWaited(waited + 1);
        await viewer.ask({ type: "abort" });
        await viewer.state("idle");
        break;
      }
    }
    await model.untilAborted(aborted + 1);
    model.release();
  }

  async function check(name: string, end: End, cut: Cut): Promise<Sums & { charged: number }> {
    const [provider = "", id = ""] = name.split("/");
    const before = model.charges(0).length;
    const session = await createSession(server, { model: name });
    const viewer = await attach(server, session);
    await viewer.state("idle");
    await endCall(session, viewer, end, cut);
    viewer.cut();
    const rates = Catalog.shipped().find(provider, id);
    const charges = model.charges(before);
    const nanos = (tokens: Tokens): number => costNanos(rates!, tokens, Date.now());
    const charged = charges.reduce((sum, tokens) => sum + nanos(tokens), 0);
    const sums = await ledgerOf(session);
    const context = JSON.stringify({ name, end, cut, charged, sums });
    expect(sums.calls, context).toBe(charges.length);
    if (sums.unpriced > 0) return { ...sums, charged };
    expect(sums.low, context).toBeLessThanOrEqual(charged);
    expect(sums.high, context).toBeGreaterThanOrEqual(charged);
    if (sums.estimated === 0) expect(sums.cost, context).toBe(charged);
    return { ...sums, charged };
  }

  it("[U52] for every format and every end, at any byte: equal, or estimated or unknown within bounds", {
    timeout: 60_000 + runs * 3_000,
  }, async () => {
    const places = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 999 }).map((mille) => mille / 1_000) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    // Whatever chance leaves out is done at least once.
    const examples = ends.map((end, index): [(typeof models)[number], End, Cut] => [
      models[index % models.length] ?? models[0],
      end,
      { at: 0.5, isCached: index % 2 === 0 },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...models),
        fc.constantFrom(...ends),
        fc.record({ at: places, isCached: fc.boolean() }),
        async (name, end, cut) => {
          await check(name, end, cut);
        },
      ),
      { numRuns: runs, endOnFailure: true, examples },
    );
  });
});
