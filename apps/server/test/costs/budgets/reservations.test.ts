// Reservations before model calls: by themselves, and with built-in agents whose calls a fake model answers.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Budget, BudgetTerms } from "@patchbay/protocol";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Budgets, type CallDecision, type CallRequest } from "../../../src/costs/budgets/budgets.ts";
import { CallEstimate } from "../../../src/costs/budgets/call-estimate.ts";
import { realPath } from "../../../src/machine/files/real-path.ts";
import type { LedgerEntry } from "../../../src/store/ledger-types.ts";
import { openSession } from "../../support/actor.ts";
import { openStore } from "../../support/open-store.ts";

const terms = (change: Partial<BudgetTerms> = {}): BudgetTerms => ({
  name: "b",
  scope: "everything",
  target: null,
  period: "total",
  time_zone: "UTC",
  limit_usd: 1e-7, // 100 nano-dollars
  kind: "hard",
  warn_percent: 80,
  unpriced: "refuse",
  ...change,
});

const spender = (session: string) => ({ session, person: "", cwd: "/code", worker: "w" });

let seq = 0;
const entry = (session: string, cost_nanos: number, change: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...spender(session),
  ...{ seq: ++seq, time: new Date().toISOString(), turn: 1, branch: "", provider: "p", model: "m" },
  ...{ input: 1, output: 1, cache_read: 0, cache_write: 0, thinking: 0, cost_nanos, price: "worker" },
  ...change,
});

const call = (session: string, nanos: number, change: Partial<CallRequest> = {}): CallRequest => ({
  ...{ spender: spender(session), provider: "p", model: "m", priced: true, nanos },
  ...change,
});

async function openBudgets(store: Awaited<ReturnType<typeof openStore>>["store"], change = {}) {
  const log = { info: () => {}, warn: () => {} };
  const budgets = new Budgets({ store, configured: [terms(change)], log, realPath });
  await budgets.load();
  const decisions: Record<string, CallDecision["is"][]> = {};
  const request = (wanted: CallRequest): void =>
    budgets.requestCall(wanted, ({ is }) => (decisions[wanted.spender.session] ??= []).push(is));
  return { budgets, decisions, request };
}

describe("reservations", () => {
  it("[U71] a call waits for what running calls have reserved, and continues when that is given back", async () => {
    await using opened = await openStore();
    const { budgets, decisions, request } = await openBudgets(opened.store);
    request(call("a", 60));
    request(call("b", 60)); // less than the limit is reserved
    request(call("c", 1));
    expect(decisions).toEqual({ a: ["allowed"], b: ["allowed"], c: ["waiting"] });
    expect(budgets.listFor(spender("c"))).toMatchObject([{ status: [{ reserved_usd: 120e-9 }] }]);
    budgets.releaseCall("a"); // it failed, and cost nothing
    expect(decisions["c"]).toEqual(["waiting", "allowed"]);
    request(call("d", 1));
    request(call("e", 1));
    budgets.spend(entry("b", 20)); // less than was expected
    expect([decisions["d"], decisions["e"]]).toEqual([["allowed"], ["allowed"]]);
    for (const session of ["c", "d", "e"]) budgets.release(session);
    expect(budgets.listFor(spender("c"))[0]?.status[0]).not.toHaveProperty("reserved_usd");
  });

  it("[U71] a call that waits is denied once the limit is reached, and permitted when there is more room", async () => {
    await using opened = await openStore();
    const { budgets, decisions, request } = await openBudgets(opened.store);
    request(call("a", 100));
    request(call("b", 100));
    request(call("c", 100));
    budgets.release("c"); // aborted: it is forgotten
    await budgets.grant("config:b", { amount_usd: 1e-6, reason: "r" }, "me");
    expect(decisions).toEqual({ a: ["allowed"], b: ["waiting", "allowed"], c: ["waiting"] });
    request(call("c", 2_000));
    request(call("d", 1));
    budgets.spend(entry("a", 1_200));
    expect(decisions["d"]).toEqual(["waiting", "denied"]);
  });

  it("[U71] whatever calls cost, no more are made than those that ran when the limit was crossed", async () => {
    await using opened = await openStore();
    const steps = fc.array(
      fc.record({ session: fc.integer({ min: 0, max: 9 }), cost: fc.integer({ min: 0, max: 40 }) }),
      { maxLength: 120 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 40 }), async (given, expected) => {
        const { budgets } = await openBudgets(opened.store);
        const running = new Set<string>();
        let spent = 0;
        let atCrossing: number | undefined;
        let after = 0;
        for (const { session: number, cost } of given) {
          const session = `s${number}`;
          if (running.delete(session)) {
            spent += cost;
            budgets.spend(entry(session, cost));
            if (spent >= 100) atCrossing ??= running.size;
          } else {
            budgets.requestCall(call(session, expected), ({ is }) => {
              if (is !== "allowed") return;
              running.add(session);
              if (atCrossing !== undefined) after++;
            });
          }
        }
        expect(after).toBe(0);
        // Where the expected cost is not too low, what runs together does not pass the limit by more than one call.
        if (given.every(({ cost }) => cost <= expected)) expect(spent).toBeLessThan(100 + expected + 1);
      }),
      { numRuns: 60 },
    );
  });

  it("[U72] a turn whose agent does not ask is stopped when another session uses the budget up", async () => {
    await using opened = await openStore();
    const { budgets } = await openBudgets(opened.store);
    const stopped: string[] = [];
    const turn = (session: string) => ({
      ...{ spender: spender(session), nanos: 50 },
      stopTurn: () => stopped.push(session),
    });
    budgets.reserveTurn(turn("a"));
    budgets.spend(entry("a", 10)); // the turn goes on, and so does its reservation
    expect(budgets.refusal(spender("b"), { asks: false })).toBeUndefined();
    budgets.reserveTurn(turn("b"));
    const room: string[] = [];
    budgets.onRoom((sessions) => room.push(...sessions));
    expect(budgets.refusal(spender("c"), { asks: false })?.message).toContain("is reserved for model calls");
    expect(budgets.refusal(spender("c"), { asks: true })).toBeUndefined();
    budgets.release("b");
    expect(room).toEqual(["c"]);
    budgets.reserveTurn(turn("b"));
    budgets.spend(entry("a", 90));
    expect(stopped).toEqual(["b"]); // "a" crossed it, and is stopped as the one that did
  });

  it("[U73] a hard budget refuses a model without a known price, unless it allows them", async () => {
    await using opened = await openStore();
    const strict = await openBudgets(opened.store);
    strict.request(call("a", 0, { priced: false }));
    expect(strict.decisions["a"]).toEqual(["denied"]);
    const { stop } = strict.budgets.spend(entry("a", 0, { price: "none" }), true);
    expect(stop?.message).toBe(
      'Stopped: the budget "b" allows no model without a known price, and no source knows what p/m costs. Enter a price for it in the config file, or allow models without a price in the budget.',
    );
    const unpriced = { provider: "p", model: "m" };
    expect(strict.budgets.refusal(spender("a"), { unpriced })?.message).toContain("Not started: the budget");
    const lenient = await openBudgets(opened.store, { unpriced: "allow" });
    lenient.request(call("a", 0, { priced: false }));
    expect(lenient.decisions["a"]).toEqual(["allowed"]);
    expect(lenient.budgets.spend(entry("a", 0, { price: "none" }), true).stop).toBeUndefined();
    expect(lenient.budgets.refusal(spender("a"), { unpriced })).toBeUndefined();
  });

  it("[U71] the expected cost is that of the dearest of the last calls, plus what the context grew by", () => {
    const estimate = new CallEstimate();
    const rates = { input: 1, output: 10 };
    const of = (input: number, model = "m") => estimate.of({ provider: "p", model, input }, rates, 0);
    expect(of(1_000)).toBe(1_000e3 + 4_096 * 10e3); // the first: all that is sent, and an answer of usual length
    expect(estimate.of({ provider: "p", model: "m", input: 0, max_output: 10 }, rates, 0)).toBe(100e3);
    estimate.add(entry("s", 900, { input: 1_000, output: 500 }));
    estimate.add(entry("s", 100, { input: 1_200, output: 800 }));
    expect(of(2_000)).toBe(900);
    expect(of(2_500)).toBe(900 + 500e3);
    expect(of(0, "other")).toBe(4_096 * 10e3);
    for (let index = 0; index < 5; index++) estimate.add(entry("s", 7, { input: 5_000 }));
    expect(of(10)).toBe(7);
  });
});

describe("built-in agents", () => {
  let model: FakeModel;
  let server: RunningServer;
  const usage = { input: 1_000, output: 1_000, cache_read: 0, cache_write: 0 };
  beforeAll(async () => {
    model = await startFakeModel();
    model.defaultReply = () => ({ text: "done", usage });
    server = await startServer({
      config: { agent: { approvals: "full", jail: "off" }, limits: { workers: 12 } },
      env: {
        ANTHROPIC_API_KEY: "not-a-real-key",
        ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
        OPENAI_COMPATIBLE_BASE_URL: `${model.baseUrl}/compatible/v1`,
      },
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  const make = async (wish: object): Promise<Budget> => {
    const common = { name: "edge", scope: "everything", period: "total", kind: "hard" };
    const { status, body, text } = await server.call("POST", "/api/budgets", { ...common, ...wish });
    expect([status, text]).toEqual([201, text]);
    return (body as { budget: Budget }).budget;
  };
  const remove = (id: string) => server.call("DELETE", `/api/budgets/${id}`, { reason: "the test is over" });
  const notices = ({ transcript }: TestViewer): string[] =>
    transcript.marks.flatMap((mark) =>
      mark.kind === "notice" && mark.source === "budget" ? [mark.text] : [],
    );
  const turns = ({ transcript }: TestViewer): number =>
    transcript.marks.filter(({ kind }) => kind === "turn").length;
  const spent = async (): Promise<{ calls: number; cost_usd: number }> => {
    const { body } = await server.call("GET", "/api/usage");
    return (body as { total: { calls: number; cost_usd: number } }).total;
  };

  it("[U72] a turn in a tool makes no further call once another session has used the budget up, and says why", async () => {
    await using busy = await openSession(server);
    await using other = await openSession(server);
    const before = model.requests.length;
    // The budget is made while the worker runs: from now on it asks.
    const budget = await make({ limit_usd: (await spent()).cost_usd + 0.001 });
    const go = join(server.home, "go");
    const command = `until [ -e ${go} ]; do sleep 0.05; done`;
    model.reply({
      toolCalls: [{ name: "bash", args: { command } }],
      usage: { ...usage, input: 1, output: 1 },
    });
    await busy.ask({ type: "prompt", message: "wait" });
    await busy.until(() => busy.transcript.messages.length === 2); // the prompt and the tool's call
    await other.ask({ type: "prompt", message: "spend" });
    await other.until(() => turns(other) === 1);
    writeFileSync(go, "");
    await busy.until(() => turns(busy) === 1);
    expect(model.requests.length - before).toBe(2);
    expect(notices(busy).at(-1)).toMatch(/^Stopped: the budget "edge" has reached its limit/);
    expect(busy.transcript.marks.find(({ kind }) => kind === "turn")).toMatchObject({ stop: "aborted" });
    await remove(budget.id);
  });

  it("[U73] a model whose price no source knows is not called, until the budget allows it, with a reason", async () => {
    const budget = await make({ limit_usd: 1_000 });
    await using viewer = await openSession(server, { model: "openai-compatible/nameless" });
    const before = model.requests.length;
    await viewer.ask({ type: "prompt", message: "hi" });
    await viewer.until(() => turns(viewer) === 1);
    expect(model.requests.length).toBe(before);
    expect(notices(viewer)).toEqual([
      expect.stringMatching(
        /^Stopped: the budget "edge" allows no model .* openai-compatible\/nameless costs/,
      ),
    ]);
    const at = `/api/budgets/${budget.id}`;
    expect((await server.call("PATCH", at, { unpriced: "allow" })).status).toBe(400);
    expect((await server.call("PATCH", at, { unpriced: "allow", reason: "it is ours" })).status).toBe(200);
    await viewer.ask({ type: "prompt", message: "hi" });
    await viewer.until(() => turns(viewer) === 2);
    expect(model.requests.length).toBe(before + 1);
    expect(notices(viewer).at(-1)).toBe(
      'The budget "edge" now allows models without a known price: it is ours',
    );
    await remove(budget.id);
  });

  it("[U77] the estimate of a call that was cut counts, in place of what was reserved", async () => {
    await using viewer = await openSession(server);
    const budget = await make({ scope: "session", target: viewer.session?.id, limit_usd: 1_000 });
    const standing = async () => {
      const { body } = await server.call("GET", `/api/budgets?session=${viewer.session?.id}`);
      return (body as { budgets: Budget[] }).budgets[0]?.status[0];
    };
    const { waited } = model;
    model.reply({ text: "a long answer ".repeat(500), usage, hangAt: 0.9 });
    await viewer.ask({ type: "prompt", message: "go" });
    await model.untilWaited(waited + 1);
    expect(await standing()).toMatchObject({ spent_usd: 0, reserved_usd: expect.any(Number) });
    await viewer.ask({ type: "abort" });
    await viewer.until(() => turns(viewer) === 1);
    const { spent_usd = 0, reserved_usd } = (await standing()) ?? {};
    expect(reserved_usd).toBeUndefined();
    const { body } = await server.call("GET", `/api/usage?session=${viewer.session?.id}`);
    const { total } = body as { total: { cost_usd: number; estimated: number } };
    expect(total).toMatchObject({ cost_usd: spent_usd, estimated: 1 });
    expect(spent_usd).toBeGreaterThan(0.01); // the tokens of `message_start` are a fifth of it
    await remove(budget.id);
  });

  it("[U71] 100 prompts of 10 sessions against room for 10 calls: none is made once the limit is reached", async () => {
    const [sessions, each, room] = [10, 10, 10];
    const viewers = await Promise.all(Array.from({ length: sessions }, () => openSession(server)));
    const [first] = viewers;
    const free = await spent();
    await first?.ask({ type: "prompt", message: "what does a call cost?" });
    await first?.until(() => turns(first) === 1);
    const before = await spent();
    const perCall = before.cost_usd - free.cost_usd;
    // Half a call less than ten, so that rounding does not decide about the eleventh.
    const budget = await make({ limit_usd: before.cost_usd + (room - 0.5) * perCall });
    const asked = viewers.flatMap((viewer) =>
      Array.from({ length: each }, () => viewer.ask({ type: "prompt", message: "go" })),
    );
    await Promise.all(asked);
    await Promise.all(viewers.map((viewer) => viewer.state("idle")));
    const after = await spent();
    expect(after.calls - before.calls).toBe(room);
    const { body } = await server.call("GET", "/api/budgets");
    expect(body).toMatchObject({ budgets: [{ id: budget.id, status: [{ state: "over" }] }] });
    await Promise.all(viewers.map((viewer) => viewer.close()));
    await remove(budget.id);
  });
});
