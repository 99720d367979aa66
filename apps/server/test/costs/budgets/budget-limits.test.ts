// Budgets at work, through the real server and fixture workers whose calls cost what a test says.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Budget } from "@patchbay/protocol";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../../support/actor.ts";

const make = async (server: RunningServer, wish: object): Promise<Budget> => {
  const { status, body, text } = await server.call("POST", "/api/budgets", wish);
  expect([status, text]).toEqual([201, text]);
  return (body as { budget: Budget }).budget;
};

const list = async (server: RunningServer, query = ""): Promise<Budget[]> =>
  ((await server.call("GET", `/api/budgets${query}`)).body as { budgets: Budget[] }).budgets;

/** A prompt that costs so much and is over at once. */
const spend = async (viewer: TestViewer, dollars: number): Promise<void> => {
  const turns = countTurns(viewer);
  const { success, error } = await viewer.ask({ type: "prompt", message: `usage 10 1 ${dollars}` });
  expect([success, error]).toEqual([true, undefined]);
  await viewer.until(() => countTurns(viewer) > turns && viewer.session?.state === "idle");
};

const countTurns = ({ transcript }: TestViewer): number =>
  transcript.marks.filter(({ kind }) => kind === "turn").length;

const notices = ({ transcript }: TestViewer): string[] =>
  transcript.marks.flatMap((mark) => (mark.kind === "notice" && mark.source === "budget" ? [mark.text] : []));

describe("budgets", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startActor({
      budgets: [{ name: "fixed", scope: "everything", period: "month", limit_usd: 1000 }],
    });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("[U20] a soft one warns in the transcript, once at the threshold and once at the limit, and stops nothing", async () => {
    await using viewer = await openSession(server);
    const target = viewer.session?.id;
    const budget = await make(server, {
      name: "soft",
      scope: "session",
      target,
      period: "day",
      limit_usd: 1,
    });
    await spend(viewer, 0.5);
    await spend(viewer, 0.31);
    await spend(viewer, 0.01);
    await spend(viewer, 0.3);
    await spend(viewer, 0.3);
    await viewer.until(() => notices(viewer).length === 2);
    expect(notices(viewer)).toEqual([
      'The budget "soft" is at 81 %: $0.8100 of $1.00 today.',
      'The budget "soft" has reached its limit: $1.12 of $1.00 today. Agents keep running, because this budget only warns.',
    ]);
    expect(await list(server, `?session=${target}`)).toMatchObject([
      { source: "config", name: "fixed", status: [{ state: "ok" }] },
      { id: budget.id, status: [{ spent_usd: 1.42, limit_usd: 1, state: "over", unpriced_calls: 0 }] },
    ]);
    expect((await server.call("DELETE", `/api/budgets/${budget.id}`)).status).toBe(204);
  });

  it("[U21] a hard one refuses whatever would start a call, until more is granted, with a reason, in the log", async () => {
    await using viewer = await openSession(server);
    const target = viewer.session?.id;
    const budget = await make(server, {
      name: "hard",
      scope: "session",
      target,
      period: "week",
      limit_usd: 1,
      kind: "hard",
    });
    await spend(viewer, 1);
    for (const type of ["prompt", "steer", "follow_up", "abort_and_prompt", "compact"]) {
      const refused = await viewer.ask({ type, message: "usage 10 1 1" });
      expect(refused).toMatchObject({ success: false });
      expect(refused.error).toMatch(
        /^Not started: the budget "hard" has reached its limit, \$1\.00 of \$1\.00 this week\. Raise/,
      );
    }
    const bad = await server.call("POST", `/api/budgets/${budget.id}/grant`, { amount_usd: 1 });
    expect([bad.status, bad.text]).toEqual([400, expect.stringContaining("reason")]);
    const granted = await server.call("POST", `/api/budgets/${budget.id}/grant`, {
      amount_usd: 0.5,
      reason: "a release",
    });
    expect(granted.body).toMatchObject({
      budget: { status: [{ limit_usd: 1.5, granted_usd: 0.5, state: "ok" }] },
    });
    await viewer.until(() => notices(viewer).some((text) => text.includes("granted")));
    expect(notices(viewer).at(-1)).toBe('$0.5000 more was granted to the budget "hard": a release');
    await spend(viewer, 0.2);
    const { body } = await server.call("GET", `/api/budgets/events?budget=${budget.id}`);
    expect(body).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({ event: "refused", session: target }),
        expect.objectContaining({ event: "granted", by: "owner", reason: "a release", amount_usd: 0.5 }),
      ]),
    });
    expect((await server.call("PATCH", "/api/budgets/config:fixed", { limit_usd: 1 })).status).toBe(409);
    expect((await server.call("PATCH", "/api/budgets/none", { limit_usd: 1 })).status).toBe(404);
    expect((await server.call("POST", "/api/budgets", { ...budget, time_zone: "Middle/Earth" })).status).toBe(
      400,
    );
  });

  it("[U22] a running turn that crosses it is stopped at that usage frame, says why, and what waits is held until it is raised", async () => {
    await using viewer = await openSession(server);
    const target = viewer.session?.id;
    const wish = { name: "brake", scope: "session", target, period: "total", limit_usd: 0.01, kind: "hard" };
    const budget = await make(server, wish);
    // Every 2 ms, until it is ended. Together, so that the second waits when the first one is stopped.
    await Promise.all([
      viewer.ask({ type: "prompt", message: "spend 0.002" }),
      viewer.ask({ type: "prompt", message: "usage 10 1 0.001" }),
    ]);
    await viewer.until(() => countTurns(viewer) === 1);
    await viewer.until(() => notices(viewer).some((text) => text.startsWith("Not started")));
    expect(notices(viewer)).toEqual([
      expect.stringContaining("is at"),
      expect.stringMatching(
        /^Stopped: the budget "brake" has reached its limit, \$0\.01\d+ of \$0\.0100 in total/,
      ),
      expect.stringContaining("Not started"),
    ]);
    expect(viewer.transcript.marks.find(({ kind }) => kind === "turn")).toMatchObject({ stop: "aborted" });
    const resumed = await viewer.ask({ type: "queue_resume" });
    expect(resumed.error).toContain("Not started");
    await server.call("PATCH", `/api/budgets/${budget.id}`, { limit_usd: 100, reason: "go on" });
    await viewer.until(() => countTurns(viewer) === 2);
    expect(notices(viewer).at(-1)).toContain("has a new limit of $100.00 (before: $0.0100): go on");
  });

  it("[U23] a limit for each turn ends a turn, and the next one has it anew", async () => {
    await using viewer = await openSession(server);
    const target = viewer.session?.id;
    await make(server, {
      name: "turn",
      scope: "session",
      target,
      period: "turn",
      limit_usd: 0.02,
      kind: "hard",
    });
    for (let turn = 1; turn <= 2; turn++) {
      await viewer.ask({ type: "prompt", message: "spend 0.004" });
      await viewer.until(() => countTurns(viewer) === turn && viewer.session?.state === "idle");
    }
    expect(notices(viewer).filter((text) => text.startsWith("Stopped"))).toHaveLength(2);
  });

  it("[U35] more room needs a reason: a higher limit, one that only warns, no hard budget at all", async () => {
    const wish = { name: "reasons", scope: "session", target: "none", period: "day", limit_usd: 1 };
    const budget = await make(server, { ...wish, kind: "hard" });
    const at = `/api/budgets/${budget.id}`;
    for (const more of [{ limit_usd: 2 }, { kind: "soft" }, { limit_usd: 2, reason: "  " }]) {
      const { status, text } = await server.call("PATCH", at, more);
      expect([status, text]).toEqual([400, expect.stringContaining("enter a reason")]);
    }
    expect((await server.call("PATCH", at, { limit_usd: 0.5, warn_percent: 50 })).status).toBe(200);
    expect((await server.call("PATCH", at, { limit_usd: 2, reason: "a release" })).status).toBe(200);
    expect((await server.call("DELETE", at)).status).toBe(400);
    expect((await server.call("DELETE", at, { reason: "it is over" })).status).toBe(204);
    const { body } = await server.call("GET", `/api/budgets/events?budget=${budget.id}`);
    expect(body).toMatchObject({
      events: [
        { event: "deleted", reason: "it is over", message: 'The budget "reasons" was deleted: it is over' },
        { event: "changed", reason: "a release" },
        { event: "changed", reason: "" },
        { event: "created" },
      ],
    });
  });

  it("[U36] [U75] a session in a worktree spends for the project it is a worktree of, and a directory is meant by any of its names", async () => {
    const repository = join(server.home, "repo");
    const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args]);
    mkdirSync(repository);
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
    const link = join(server.home, "link");
    symlinkSync(repository, link);
    const project = { scope: "project", period: "total", limit_usd: 1, kind: "hard" };
    const budget = await make(server, { ...project, name: "linked", target: `${link}/` });
    expect(budget.target).toBe(repository);
    await using viewer = await openSession(server, { cwd: repository, worktree: true });
    const { id = "", cwd } = viewer.session ?? {};
    expect(cwd).not.toBe(repository);
    expect(viewer.session).toMatchObject({ project: repository });
    expect(await list(server, `?session=${id}`)).toMatchObject([{ name: "fixed" }, { name: "linked" }]);
    await spend(viewer, 1);
    const refused = await viewer.ask({ type: "prompt", message: "usage 10 1 1" });
    expect(refused.error).toContain('"linked" has reached its limit');
    const { body } = await server.call("GET", `/api/usage?group_by=cwd&session=${id}`);
    expect(body).toMatchObject({ rows: [{ cwd: repository, cost_usd: 1 }] });
    // One more in the same worktree is of the same project.
    await using beside = await openSession(server, { cwd });
    expect(beside.session).toMatchObject({ cwd, project: repository });
    // [U75] So is one in a worktree that a person made, and in a directory of it.
    const byHand = join(server.home, "by-hand");
    git("worktree", "add", "-q", byHand);
    mkdirSync(join(byHand, "src"));
    await using other = await openSession(server, { cwd: join(byHand, "src") });
    expect(other.session).toMatchObject({ cwd: join(byHand, "src"), project: join(repository, "src") });
    const also = await other.ask({ type: "prompt", message: "usage 10 1 1" });
    expect(also.error).toContain('"linked" has reached its limit');
    const half = await server.call("POST", "/api/budgets", { ...project, name: "half", target: "code" });
    expect([half.status, half.text]).toEqual([400, expect.stringContaining("absolute path")]);
  });

  it("[U37] nobody can be named by a person's budget, as long as there is one person", async () => {
    const wish = { name: "p", scope: "person", target: "anna", period: "day", limit_usd: 1 };
    const { status, text } = await server.call("POST", "/api/budgets", wish);
    expect([status, text]).toEqual([400, expect.stringContaining("only one person")]);
    expect((await make(server, { ...wish, target: null, limit_usd: 1_000 })).target).toBe(null);
  });

  it("[U38] prompts that a budget holds are held when the server is started again too, and begin when there is room", async () => {
    await using killed = await startActor();
    const id = await createSession(killed);
    const viewer = await attach(killed, id);
    const budget = await make(killed, {
      name: "brake",
      scope: "everything",
      period: "total",
      limit_usd: 0.01,
      kind: "hard",
    });
    await Promise.all([
      viewer.ask({ type: "prompt", message: "spend 0.002" }),
      viewer.ask({ type: "prompt", message: "usage 10 1 0.001" }),
    ]);
    await viewer.until(() => notices(viewer).some((text) => text.startsWith("Not started")));
    await killed.call("POST", `/api/sessions/${id}/stop`); // so that nothing but the queue tells of it
    await killed.kill();
    await killed.start();
    // Nobody looks at the session: what waits in it begins all the same.
    await killed.call("POST", `/api/budgets/${budget.id}/grant`, { amount_usd: 1, reason: "go on" });
    await using again = await attach(killed, id);
    await again.until(() => countTurns(again) === 2 && again.session?.state === "idle");
    expect(notices(again).filter((text) => text.startsWith("Not started"))).toHaveLength(1);
  });

  it("[U24] it holds across kill -9 of the server", async () => {
    await using killed = await startActor();
    const id = await createSession(killed);
    const viewer = await attach(killed, id);
    await make(killed, { name: "all", scope: "everything", period: "month", limit_usd: 1, kind: "hard" });
    await spend(viewer, 1.5);
    await killed.kill();
    await killed.start();
    await using again = await attach(killed, id);
    const refused = await again.ask({ type: "prompt", message: "usage 10 1 1" });
    expect(refused.error).toContain('"all" has reached its limit, $1.50 of $1.00 this month');
    expect((await list(killed))[0]?.status).toMatchObject([{ spent_usd: 1.5, state: "over" }]);
  });
});

it("[U25] 200 prompts at once against a budget with room for 10 calls: no more than the calls in flight go beyond it", async () => {
  const [sessions, each, room] = [20, 10, 10];
  await using server = await startActor({
    budgets: [{ name: "ten", scope: "everything", period: "total", limit_usd: room, kind: "hard" }],
    limits: { workers: sessions },
  });
  const viewers = await Promise.all(Array.from({ length: sessions }, () => openSession(server)));
  const prompts = viewers.flatMap((viewer) =>
    Array.from({ length: each }, () => viewer.ask({ type: "prompt", message: "usage 10 1 1" })),
  );
  const answers = await Promise.all(prompts);
  await Promise.all(viewers.map((viewer) => viewer.state("idle")));
  const { body } = await server.call("GET", "/api/usage");
  const { calls, cost_usd } = (body as { total: { calls: number; cost_usd: number } }).total;
  expect(cost_usd).toBe(calls);
  expect(calls).toBeGreaterThanOrEqual(room);
  expect(calls).toBeLessThan(room + sessions); // one call of each session can be in flight
  expect(answers).toHaveLength(200);
  expect((await list(server))[0]?.status[0]).toMatchObject({ spent_usd: cost_usd, state: "over" });
  await Promise.all(viewers.map((viewer) => viewer.close()));
});
