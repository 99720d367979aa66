// Prompts over HTTP, for programs that do not speak WebSocket: one call begins a turn, its key makes it begin once, and its address
// tells how it stands.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { attach, createSession, startActor, useSharedActor } from "../support/actor.ts";

const Turn = z.looseObject({
  id: z.string(),
  session: z.string(),
  state: z.string(),
  text: z.nullable(z.string()),
  error: z.nullable(z.string()),
  usage: z.looseObject({ cost_usd: z.number(), certainty: z.string() }),
});
type Turn = z.infer<typeof Turn>;

interface Answer {
  status: number;
  location: string | null;
  body: unknown;
}

async function post(server: RunningServer, path: string, body: unknown, key?: string): Promise<Answer> {
  const response = await fetch(new URL(path, server.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    location: response.headers.get("location"),
    body: await response.json(),
  };
}

const turnOf = ({ body }: { body: unknown }): Turn => z.parse(z.looseObject({ turn: Turn }), body).turn;
const sessionOf = ({ body }: { body: unknown }): string =>
  z.parse(z.looseObject({ session: z.looseObject({ id: z.string() }) }), body).session.id;
const codeOf = ({ body }: { body: unknown }): string =>
  z.parse(z.object({ error: z.object({ code: z.string(), message: z.string() }) }), body).error.code;

const list = z.looseObject({ sessions: z.array(z.unknown()) });

const get = async (server: RunningServer, turn: Turn, query = ""): Promise<Turn> =>
  turnOf(await server.call("GET", `/api/sessions/${turn.session}/turns/${turn.id}${query}`));

const effects = (server: RunningServer): string[] => {
  const path = join(server.cwd, "effects");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
};

const allow = (server: RunningServer, ...files: string[]): void => {
  for (const file of files) writeFileSync(join(server.cwd, file), "");
};

/** A prompt whose answer is this text. */
const answering = (text: string, ...others: object[]): string =>
  `frames ${JSON.stringify([...others, { type: "assistant_message", content: [{ type: "text", text }], time: "2026-11-18T00:00:00Z" }])}`;

describe("one call", () => {
  it("[H50] creates a session, begins a turn and waits for its end", async () => {
    await using server = await useSharedActor();
    const made = await post(server, "/api/sessions", { prompt: answering("42"), wait: 60 });
    expect(made).toMatchObject({ status: 201, body: { turn: { state: "done", text: "42", error: null } } });
    const turn = turnOf(made);
    expect(turn.session).toBe(sessionOf(made));
    expect(made.location).toBe(`/api/sessions/${turn.session}/turns/${turn.id}`);
    expect(await get(server, turn)).toEqual(turn);
    const times = [turn["queued_at"], turn["started_at"], turn["ended_at"]].map(String);
    expect(times).toEqual([...times].sort());
    expect(times.every((time) => !Number.isNaN(Date.parse(time)))).toBe(true);
  });

  it("[H50] returns at once without `wait`, and when `wait` is over", async () => {
    await using server = await useSharedActor();
    const made = await post(server, "/api/sessions", { prompt: "hang" });
    expect(made.status).toBe(202);
    expect(["queued", "running"]).toContain(turnOf(made).state);
    const next = await post(server, `/api/sessions/${sessionOf(made)}/prompts`, { prompt: "say x", wait: 1 });
    expect(next).toMatchObject({ status: 202, body: { turn: { state: "queued", started_at: null } } });
    await server.call("POST", `/api/sessions/${sessionOf(made)}/stop`);
    expect(await get(server, turnOf(made), "?wait=30")).toMatchObject({ state: "stopped" });
  });

  it("[H51] a turn tells what it cost, and how certain that is", async () => {
    await using server = await useSharedActor();
    const done = await post(server, "/api/sessions", { prompt: "usage 10 5 0.25", wait: 60 });
    expect(turnOf(done)).toMatchObject({
      usage: { calls: 1, input: 10, cost_usd: 0.25, certainty: "exact" },
    });
    const unpriced = await post(server, "/api/sessions", { prompt: "usage 10 5 0", wait: 60 });
    expect(turnOf(unpriced)).toMatchObject({ usage: { unpriced: 1, certainty: "incomplete" } });
    const running = await post(server, "/api/sessions", { prompt: "hang", wait: 0 });
    expect(turnOf(running)).toMatchObject({ usage: { cost_usd: 0, certainty: "so_far" } });
  });

  it("[H52] each way a turn can end is a state, with the reason", async () => {
    await using server = await useSharedActor();
    const failed = await post(server, "/api/sessions", {
      prompt: `frames ${JSON.stringify([{ type: "error", message: "no such model" }])}`,
      wait: 60,
    });
    expect(turnOf(failed)).toMatchObject({ state: "failed", error: "no such model" });
    const crashed = await post(server, "/api/sessions", { prompt: "crash", wait: 60 });
    expect(turnOf(crashed).state).toBe("interrupted");
    expect(turnOf(crashed).error).toContain("The agent stopped");
    const noAgent = await post(server, "/api/sessions", { worker: "exit-early", prompt: "say x", wait: 60 });
    expect(turnOf(noAgent)).toMatchObject({ state: "failed" });
    expect(turnOf(noAgent).error).toContain("stopped before it was ready");
  });

  it("[H52] a turn that a person removes from the queue was stopped, and one that waits for an answer says so", async () => {
    await using server = await useSharedActor();
    // Nobody may answer for hours: who waits is told at once.
    const asks = await post(server, "/api/sessions", { prompt: "ask confirm", wait: 60 });
    expect(asks).toMatchObject({
      status: 202,
      body: { turn: { state: "waiting", pending: [{ method: "confirm" }] } },
    });
    const session = sessionOf(asks);
    await using viewer = await attach(server, session);
    expect(await get(server, turnOf(asks), "?wait=60")).toMatchObject({ state: "waiting" });
    const queued = turnOf(await post(server, `/api/sessions/${session}/prompts`, { prompt: "say later" }));
    const ended = get(server, queued, "?wait=60");
    expect((await viewer.ask({ type: "queue_remove", item: queued.id })).success).toBe(true);
    expect(await ended).toMatchObject({
      state: "stopped",
      error: expect.stringContaining("removed from the queue"),
    });
  });

  it("[Z132] a worker that writes states of turns changes no turn that has ended, and costs a bounded memory", async () => {
    await using server = await useSharedActor();
    const ended = await post(server, "/api/sessions", { prompt: answering("true"), wait: 60 });
    const frame = { type: "turn_state", time: "2026-11-18T00:00:00Z", queued_at: "2026-11-18T00:00:00Z" };
    const lies = [
      { ...frame, turn: turnOf(ended).id, state: "failed", error: "a lie" },
      { ...frame, turn: turnOf(ended).id, state: "running" },
      { ...frame, turn: "t".repeat(10_000), state: "running" },
      { ...frame, turn: "made-up", state: "failed", error: "e".repeat(1_000_000) },
    ];
    const path = `/api/sessions/${sessionOf(ended)}/prompts`;
    const lying = turnOf(await post(server, path, { prompt: answering("lied", ...lies), wait: 60 }));
    expect(lying).toMatchObject({ state: "done", text: "lied" });
    expect(await get(server, turnOf(ended))).toEqual(turnOf(ended));
    const madeUp = await get(server, { ...lying, id: "made-up" });
    expect(madeUp.error?.length).toBe(4_000);
  });

  it("[H53] wrong input is refused with what to do", async () => {
    await using server = await useSharedActor();
    const session = await createSession(server);
    const path = `/api/sessions/${session}/prompts`;
    const wrong: [path: string, body: unknown, key: string | undefined, status: number, message: string][] = [
      [path, {}, undefined, 400, "prompt"],
      [path, { prompt: "  " }, undefined, 400, "The prompt is empty"],
      [path, { prompt: "x", wait: 10_000 }, undefined, 400, "wait"],
      [path, { prompt: "x", wait: "long" }, undefined, 400, "wait"],
      [path, { prompt: "x", colour: 1 }, undefined, 400, "unknown field colour"],
      [path, { prompt: "x" }, "two words", 400, "Idempotency-Key"],
      [path, { prompt: "x" }, "k".repeat(256), 400, "Idempotency-Key"],
      [path, "[", undefined, 400, "JSON"],
      [path, "null", undefined, 400, "prompt"],
      ["/api/sessions", { wait: 5 }, undefined, 400, "only for calls with a prompt"],
      ["/api/sessions", {}, "key", 400, "only for calls with a prompt"],
      ["/api/sessions", { prompt: "" }, undefined, 400, "The prompt is empty"],
      ["/api/sessions/nope/prompts", { prompt: "x" }, undefined, 404, "does not exist"],
      ["/api/sessions", { prompt: "x", cwd: "/no/such" }, "key", 400, "directory"],
    ];
    for (const [to, body, key, status, message] of wrong) {
      const answer = await post(server, to, body, key);
      expect([to, body, answer.status]).toEqual([to, body, status]);
      expect(JSON.stringify(answer.body)).toContain(message);
    }
    expect(codeOf(await server.call("GET", `/api/sessions/${session}/turns/none`))).toBe("no_such_turn");
    for (const wait of ["x", "", "-1", "1e2", "241", "1.5", "0x10"]) {
      const { status } = await server.call("GET", `/api/sessions/${session}/turns/none?wait=${wait}`);
      expect([wait, status]).toEqual([wait, 400]);
    }
    expect((await server.call("GET", `/api/sessions/${session}`)).body).toMatchObject({
      session: { message_count: 0 },
    });
  });

  it("[H53] a full queue, a used-up budget and a session that is being deleted refuse, and the key can be used again", async () => {
    await using server = await startActor({ limits: { queue_items: 1 } });
    const session = await createSession(server);
    const path = `/api/sessions/${session}/prompts`;
    const hanging = turnOf(await post(server, path, { prompt: "hang" }));
    await post(server, path, { prompt: "say waits" });
    const full = await post(server, path, { prompt: "say later" }, "later");
    expect([full.status, codeOf(full)]).toEqual([429, "queue_full"]);
    await using viewer = await attach(server, session);
    await viewer.state("busy");
    await viewer.ask({ type: "abort" });
    await get(server, hanging, "?wait=60");
    await viewer.state("idle");
    expect(await post(server, path, { prompt: "say later", wait: 60 }, "later")).toMatchObject({
      status: 200,
    });
    await server.call("DELETE", `/api/sessions/${session}?undo=60`);
    expect((await post(server, path, { prompt: "say x" })).status).toBe(410);
    await server.call("POST", "/api/budgets", {
      ...{ name: "small", scope: "everything", period: "total", kind: "hard", limit_usd: 0.01 },
    });
    const other = await createSession(server);
    await post(server, `/api/sessions/${other}/prompts`, { prompt: "usage 10 5 0.25", wait: 60 });
    const poor = await post(server, `/api/sessions/${other}/prompts`, { prompt: "say x" });
    expect([poor.status, codeOf(poor)]).toEqual([402, "budget_used_up"]);
    // A cron line that is refused every hour leaves no empty sessions behind, and its key begins the turn when there is room.
    const sessions = async () =>
      z.parse(list, (await server.call("GET", "/api/sessions")).body).sessions.length;
    const before = await sessions();
    for (const key of [undefined, "hourly", "hourly"])
      expect((await post(server, "/api/sessions", { prompt: "say x" }, key)).status).toBe(402);
    expect(await sessions()).toBe(before);
    const { body } = await server.call("GET", "/api/budgets");
    const [small] = z.parse(
      z.looseObject({ budgets: z.array(z.looseObject({ id: z.string() })) }),
      body,
    ).budgets;
    expect((await server.call("DELETE", `/api/budgets/${small?.id}`, { reason: "over" })).status).toBe(204);
    expect(await post(server, "/api/sessions", { prompt: "say x", wait: 60 }, "hourly")).toMatchObject({
      status: 201,
      body: { turn: { state: "done" } },
    });
  });

  it("[H59] a turn that waits in a held queue says why, and a person's hold outlives the server", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const path = `/api/sessions/${session}/prompts`;
    const first = turnOf(await post(server, path, { prompt: "hang" }));
    const next = turnOf(await post(server, path, { prompt: "say later" }));
    expect(await get(server, next)).toMatchObject({ state: "queued", held: null });
    await using viewer = await attach(server, session);
    await viewer.state("busy");
    await viewer.ask({ type: "abort", hold_queue: true });
    expect(await get(server, first, "?wait=60")).toMatchObject({ state: "stopped" });
    await viewer.state("idle");
    const held = { state: "queued", held: expect.stringContaining("A person stopped the queue") };
    expect(await get(server, next, "?wait=1")).toMatchObject(held);
    await viewer.ask({ type: "queue_move", item: next.id, to: 0 }); // is answered when the queue is saved
    await server.kill();
    await server.start();
    expect(await get(server, next, "?wait=1")).toMatchObject(held);
    await using back = await attach(server, session);
    expect((await back.ask({ type: "queue_resume" })).success).toBe(true);
    expect(await get(server, next, "?wait=60")).toMatchObject({ state: "done", held: null });
  });

  it("[H60] callers that hang up, and those whose session is deleted while they wait, hold nothing", async () => {
    await using server = await startActor({ limits: { open_calls: 3 } });
    const session = await createSession(server);
    const turn = turnOf(await post(server, `/api/sessions/${session}/prompts`, { prompt: "hang" }));
    const address = new URL(`/api/sessions/${session}/turns/${turn.id}?wait=240`, server.url);
    const authorization = `Bearer ${server.token}`;
    const status = async () =>
      (await fetch(`${address.origin}${address.pathname}?wait=1`, { headers: { authorization } })).status;
    for (let round = 0; round < 2; round++) {
      const gone = new AbortController();
      const calls = Array.from({ length: 3 }, () =>
        fetch(address, { headers: { authorization }, signal: gone.signal }).catch(() => undefined),
      );
      await waitUntil(async () => (await status()) === 429);
      gone.abort();
      await Promise.all(calls);
      await waitUntil(async () => (await status()) === 200);
    }
    const waiting = Array.from({ length: 3 }, () => fetch(address, { headers: { authorization } }));
    await waitUntil(async () => (await status()) === 429);
    await server.call("DELETE", `/api/sessions/${session}`);
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(404);
  });
});

describe("an idempotency key", () => {
  it("[H54] gives the same turn, however often and at the same time it is sent, and runs it once", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const session = await createSession(server, { worker: "careful" });
    const path = `/api/sessions/${session}/prompts`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(server, path, { prompt: "effect once", wait: 60 }, "k1")),
    );
    expect(new Set(answers.map((answer) => turnOf(answer).id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(effects(server)).toEqual(["once"]);
    const later = await post(server, path, { prompt: "effect once" }, "k1");
    expect(turnOf(later)).toEqual(turnOf(answers[0] as Answer));
    const another = await post(server, path, { prompt: "effect twice", wait: 60 }, "k2");
    expect(turnOf(another).id).not.toBe(turnOf(later).id);
    expect(effects(server)).toEqual(["once", "twice"]);
  });

  it("[H55] with other content is 409, also while the first call is under way", async () => {
    await using server = await startActor();
    const session = await createSession(server, { worker: "careful" });
    const path = `/api/sessions/${session}/prompts`;
    const [first, second] = await Promise.all([
      post(server, path, { prompt: "effect once" }, "k1"),
      post(server, path, { prompt: "effect other" }, "k1"),
    ]);
    expect(new Set([first.status, second.status])).toEqual(new Set([202, 409]));
    const refused = first.status === 409 ? first : second;
    expect(codeOf(refused)).toBe("key_reused");
    expect(JSON.stringify(refused.body)).toContain("Use a new key");
    const whole = await post(server, "/api/sessions", { worker: "careful", prompt: "effect a" }, "k9");
    expect(whole.status).toBe(202);
    const changed = await post(
      server,
      "/api/sessions",
      { worker: "careful", prompt: "effect a", name: "b" },
      "k9",
    );
    expect(codeOf(changed)).toBe("key_reused");
  });

  it("[H56] makes one session with one prompt", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const call = { worker: "careful", prompt: "effect once", wait: 60 };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(server, "/api/sessions", call, "run-1")),
    );
    expect(new Set(answers.map(sessionOf)).size).toBe(1);
    expect(new Set(answers.map((answer) => turnOf(answer).id)).size).toBe(1);
    expect(effects(server)).toEqual(["once"]);
    const { body } = await server.call("GET", "/api/sessions");
    expect(z.parse(list, body).sessions).toHaveLength(1);
  });

  it("[H61] a session that was deleted is not made again by its key, also after a restart", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const call = { worker: "careful", prompt: "effect once", wait: 60 };
    const made = await post(server, "/api/sessions", call, "run-1");
    await server.call("DELETE", `/api/sessions/${sessionOf(made)}`);
    const refused = async () => codeOf(await post(server, "/api/sessions", call, "run-1"));
    expect(await refused()).toBe("session_deleted");
    await server.kill();
    await server.start();
    expect(await refused()).toBe("session_deleted");
    expect(effects(server)).toEqual(["once"]);
  });

  it("[H54] is not a viewer's: a socket cannot take the place of a program", async () => {
    await using server = await useSharedActor();
    const session = await createSession(server);
    await using viewer = await attach(server, session, { viewer: "http:token" });
    await viewer.state("idle");
    expect((await viewer.ask({ type: "prompt", id: "k", message: "say socket" })).success).toBe(true);
    const sent = await post(
      server,
      `/api/sessions/${session}/prompts`,
      { prompt: "say http", wait: 60 },
      "k",
    );
    expect(sent).toMatchObject({ status: 200, body: { turn: { state: "done" } } });
  });
});

describe("a server that is killed", () => {
  it("[H57] before the worker has the prompt: it runs once, without a person, and the receipt is the same", async () => {
    await using server = await startActor();
    const session = await createSession(server, { worker: "careful" });
    const path = `/api/sessions/${session}/prompts`;
    const longest = "k1".padEnd(255, "~");
    const first = turnOf(await post(server, path, { prompt: "effect once" }, longest));
    await server.kill();
    allow(server, "hello", "take");
    await server.start();
    const again = await post(server, path, { prompt: "effect once", wait: 60 }, longest);
    expect(turnOf(again)).toMatchObject({ id: first.id, queued_at: first["queued_at"], state: "done" });
    expect(effects(server)).toEqual(["once"]);
    expect(codeOf(await post(server, path, { prompt: "effect other" }, longest))).toBe("key_reused");
  });

  it("[H57] between the call and its answer: the caller repeats it, and it runs once", async () => {
    await using server = await startActor();
    allow(server, "hello", "take");
    const call = { worker: "careful", prompt: "effect once", wait: 60 };
    for (const delay of [0, 2, 5, 10, 20, 40, 80]) {
      const lost = post(server, "/api/sessions", { ...call, name: `after ${delay}` }, `k${delay}`).catch(
        () => undefined,
      );
      await new Promise((resolve) => setTimeout(resolve, delay)); // a kill at some point of the call is what is tried
      await server.kill();
      await lost;
      await server.start();
      const before = effects(server).length;
      const again = await post(server, "/api/sessions", { ...call, name: `after ${delay}` }, `k${delay}`);
      const turn = turnOf(again);
      expect(["done", "interrupted"]).toContain(turn.state);
      const now = effects(server).length;
      expect(now - before).toBeLessThanOrEqual(1);
      expect(
        turnOf(await post(server, "/api/sessions", { ...call, name: `after ${delay}` }, `k${delay}`)).id,
      ).toBe(turn.id);
      expect(effects(server).length).toBe(now);
    }
    expect(effects(server).length).toBeLessThanOrEqual(7);
  });

  it("[H58] during a turn: it was interrupted, what ended before is as it was", async () => {
    await using server = await startActor();
    const made = await post(server, "/api/sessions", { prompt: answering("first"), wait: 60 });
    const path = `/api/sessions/${sessionOf(made)}/prompts`;
    const paid = turnOf(await post(server, path, { prompt: "usage 10 5 0.25", wait: 60 }));
    const cut = turnOf(await post(server, path, { prompt: "hang" }));
    await waitUntil(async () => (await get(server, cut))["prompt"] !== null);
    await server.kill();
    await server.start();
    expect(await get(server, turnOf(made))).toEqual(turnOf(made));
    expect(await get(server, paid)).toEqual(paid);
    const interrupted = await get(server, cut, "?wait=30");
    expect(interrupted).toMatchObject({
      state: "interrupted",
      error: expect.stringContaining("The server stopped"),
    });
    await server.kill();
    await server.start();
    expect(await get(server, cut)).toEqual(interrupted);
  });

  it("[H58] in good order: who waits is told that the turn was interrupted", async () => {
    await using server = await startActor();
    const made = turnOf(await post(server, "/api/sessions", { prompt: "hang" }));
    await using viewer = await attach(server, made.session);
    await viewer.state("busy");
    const waiting = get(server, made, "?wait=60").catch(() => undefined);
    await server.call("GET", "/healthz");
    server.process.kill("SIGTERM");
    await server.exited;
    await waiting;
    await server.start();
    expect(await get(server, made)).toMatchObject({ state: "interrupted" });
  });
});
