// The ledger against the model server's own bill, whatever happens to turns, workers, servers and viewers.
import { type FakeModel, startFakeModel, type Tokens } from "@patchbay/testing/fake-model";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Catalog } from "../../src/costs/prices/catalog.ts";
import { costNanos } from "../../src/costs/prices/rates.ts";
import type { LedgerEntry } from "../../src/store/ledger-types.ts";
import { attach, createSession } from "../support/actor.ts";
import { openStore } from "../support/open-store.ts";

/** Whole nano-dollars at any rate with two decimals, so that the sum of calls is the cost of the sum. */
const usage = { input: 4_000, output: 200, cache_read: 800, cache_write: 400 };
const words = ["one ", "two ", "three"];

const deeds = [
  "turn",
  "tools",
  "retry",
  "compact",
  "steer",
  "side by side",
  "abort",
  "kill worker",
  "kill server",
  "restart",
  "stop",
  "reload",
] as const;
type Deed = (typeof deeds)[number];

/** One session, and what is done to it. */
class Stage {
  viewer: TestViewer;
  #cutBefore = 0;
  readonly #server: RunningServer;
  readonly #model: FakeModel;

  constructor(server: RunningServer, model: FakeModel, viewer: TestViewer) {
    this.#server = server;
    this.#model = model;
    this.viewer = viewer;
  }

  get #id(): string {
    return String(this.viewer.session?.id);
  }

  async act(deed: Deed): Promise<void> {
    switch (deed) {
      case "turn":
        this.#model.reply({ text: words, usage });
        return this.#whole();
      case "tools":
        this.#model.reply(
          { toolCalls: [{ name: "ls", args: { path: "." } }], usage },
          { text: words, usage },
        );
        return this.#whole();
      case "retry": // the first answer breaks off in the middle, and was billed
        this.#model.reply({ text: words, usage, errorAfterChunks: 2 }, { text: words, usage });
        return this.#whole();
      case "compact":
        for (let turn = 0; turn < 3; turn++) await this.act("turn"); // the last four messages are kept
        this.#model.reply({ text: "## Goal\nto go on", usage });
        return this.#compact();
      case "steer": {
        const turns = this.#turns;
        await this.#begin();
        this.#model.reply({ text: words, usage });
        await this.viewer.ask({ type: "steer", message: "another way" });
        this.#model.release();
        await this.viewer.until(() => this.#turns > turns);
        await this.viewer.state("idle");
        return;
      }
      case "side by side": {
        const other = await attach(this.#server, await createSession(this.#server));
        await other.state("idle");
        const beside = new Stage(this.#server, this.#model, other);
        this.#model.reply(...Array.from({ length: 4 }, () => ({ text: words, usage, delayMs: 1 })));
        const twice = async (stage: Stage): Promise<void> => {
          await stage.#whole();
          await stage.#whole();
        };
        await Promise.all([twice(this), twice(beside)]);
        return other.cut();
      }
      case "abort":
        await this.#begin();
        await this.viewer.ask({ type: "abort" });
        return this.#over();
      case "kill worker": {
        await this.#begin();
        process.kill(Number(this.viewer.session?.pid), "SIGKILL");
        await this.viewer.until(() => this.viewer.transcript.partial === null);
        await this.viewer.state("failed");
        return this.#hungUp();
      }
      case "kill server":
        await this.#begin();
        await this.#restart();
        return this.#hungUp();
      case "restart":
        return this.#restart();
      case "stop":
        await this.#server.call("POST", `/api/sessions/${this.#id}/stop`);
        return;
      case "reload": {
        const { seq, transcript, key } = this.viewer;
        this.viewer.cut();
        this.viewer = await attach(this.#server, this.#id, { since: seq, transcript, viewer: key });
      }
    }
  }

  /** A turn that comes to its end. */
  async #whole(): Promise<void> {
    const turns = this.#turns;
    const { success, error } = await this.viewer.ask({ type: "prompt", message: "go on" });
    expect([success, error]).toEqual([true, undefined]);
    await this.viewer.until(() => this.#turns > turns);
    await this.viewer.state("idle");
  }

  async #compact(): Promise<void> {
    const compactions = (): number =>
      this.viewer.transcript.marks.filter(({ kind }) => kind === "compaction").length;
    const before = compactions();
    const { success, error } = await this.viewer.ask({ type: "compact" });
    expect([success, error]).toEqual([true, undefined]);
    await this.viewer.until(() => compactions() > before);
    await this.viewer.state("idle");
  }

  /** A turn that hangs in the middle of its answer. */
  async #begin(): Promise<void> {
    this.#cutBefore = this.#model.aborted;
    this.#model.reply({ text: words, usage, hangAfterChunks: 1 });
    await this.viewer.ask({ type: "prompt", message: "hang" });
    await this.viewer.until(() => (this.viewer.transcript.partial?.content.length ?? 0) > 0);
  }

  async #over(): Promise<void> {
    await this.viewer.until(() => this.viewer.transcript.partial === null);
    await this.viewer.state("idle");
    await this.#hungUp();
  }

  /** The model has noticed that nobody listens: it bills no more. */
  async #hungUp(): Promise<void> {
    await this.#model.untilAborted(this.#cutBefore + 1);
    this.#model.release();
  }

  async #restart(): Promise<void> {
    const id = this.#id;
    await this.#server.kill();
    await this.#server.start();
    this.viewer = await attach(this.#server, id);
  }

  get #turns(): number {
    return this.viewer.transcript.marks.filter(({ kind }) => kind === "turn").length;
  }
}

describe("the ledger is what was billed", () => {
  let model: FakeModel;
  let server: RunningServer;
  beforeAll(async () => {
    model = await startFakeModel();
    server = await startServer({
      env: { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });

  /** Calls that were cut are estimated: their bounds contain the bill. All others are exact. */
  const check = async (stage: Stage): Promise<void> => {
    await stage.viewer.caughtUp();
    const { provider, model: name } = stage.viewer.session!;
    const rates = Catalog.shipped().find(provider, name);
    expect(rates).toBeDefined();
    const charges = model.charges(0);
    const nanos = (tokens: Tokens): number => costNanos(rates!, tokens, Date.now());
    const sum = (of: (tokens: Tokens) => number): number => charges.reduce((so, each) => so + of(each), 0);
    const { body } = await server.call("GET", "/api/usage");
    const { total } = body as { total: Record<string, number> };
    expect(total).toMatchObject({
      calls: charges.length,
      input: sum(({ input }) => input),
      cache_read: sum(({ cache_read }) => cache_read),
      cache_write: sum(({ cache_write }) => cache_write),
      unpriced: 0,
      estimated: charges.filter(({ output }) => output !== usage.output).length,
    });
    const [low, high] = [total["low_usd"], total["high_usd"]].map((dollars) => Math.round(dollars! * 1e9));
    expect(low).toBeLessThanOrEqual(sum(nanos));
    expect(high).toBeGreaterThanOrEqual(sum(nanos));
    const whole = (each: Tokens): number =>
      nanos({ ...each, output: each.output === usage.output ? each.output : 1 });
    expect(low).toBe(sum(whole)); // of a cut call, Anthropic has counted the input and one token
  };

  it("[U31] what a call had used when its worker or its server was killed is charged, once", async () => {
    const stage = new Stage(server, model, await attach(server, await createSession(server)));
    await stage.viewer.state("idle");
    for (const deed of ["kill worker", "turn", "kill server", "restart", "turn"] as const)
      await stage.act(deed);
    await check(stage);
    const interrupted = (await server.call("GET", `/api/sessions/${stage.viewer.session?.id}`)).body;
    expect(interrupted).toMatchObject({ session: { usage: { input: 4 * usage.input, estimated: 2 } } });
    await stage.viewer.close();
  });

  it("[U30] for any interleaving of turns, tools, retries, compactions, steering, sessions side by side, aborts, crashes, replays and restarts", async () => {
    const acts = fc.array(fc.constantFrom(...deeds), { minLength: 2, maxLength: 6 });
    // Whatever chance leaves out is done at least once.
    const examples: [Deed[]][] = [[["retry", "kill server", "compact", "steer", "side by side", "restart"]]];
    await fc.assert(
      fc.asyncProperty(acts, async (given) => {
        const stage = new Stage(server, model, await attach(server, await createSession(server)));
        await stage.viewer.state("idle");
        for (const deed of given) await stage.act(deed);
        await check(stage);
        stage.viewer.cut();
      }),
      { numRuns: 7, endOnFailure: true, examples },
    );
  });
});

it("[U30] however often and in whatever pieces entries are recorded, across restarts, each counts once", async () => {
  await using opened = await openStore();
  let run = 0;
  const pieces = fc.array(fc.record({ upTo: fc.nat(30), back: fc.nat(30), restart: fc.boolean() }), {
    maxLength: 6,
  });
  const costs = fc.array(fc.integer({ min: 0, max: 9_999_999 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(costs, pieces, async (nanos, steps) => {
      const session = `s${run++}`;
      const entries = nanos.map(
        (cost_nanos, index): LedgerEntry => ({
          session,
          seq: index + 1,
          time: new Date(1_000_000_000_000 + index * 400_000).toISOString(),
          turn: 1 + Math.floor(index / 4),
          person: session,
          cwd: "/",
          branch: "",
          worker: "w",
          provider: "p",
          model: `m${index % 3}`,
          input: 1,
          output: 1,
          cache_read: 0,
          cache_write: 0,
          thinking: 0,
          cost_nanos,
          price: "worker",
        }),
      );
      let written = 0;
      for (const { upTo, back, restart } of steps) {
        const to = Math.max(written, Math.min(entries.length, upTo));
        await opened.store.record(entries.slice(Math.max(0, written - back), to)); // a replay repeats what came before
        written = to;
        if (restart && run % 10 === 0) await opened.reopen();
      }
      await opened.store.record(entries);
      const expected = nanos.reduce((sum, each) => sum + each, 0);
      for (const groupBy of [[], ["model"], ["session"]] as const) {
        const rows = await opened.store.queryLedger({ groupBy, where: { person: session } });
        expect(rows.reduce((sum, row) => sum + Math.round(row.usage.cost_usd * 1e9), 0)).toBe(expected);
        expect(rows.reduce((sum, row) => sum + row.usage.calls, 0)).toBe(entries.length);
      }
    }),
    { numRuns: 25 },
  );
});
