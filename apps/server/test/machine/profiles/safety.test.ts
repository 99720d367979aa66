// Safe from the first minute: how new sessions are set where the sandbox works and where it does not, what the config file
// and the page change about it, and that homes of earlier versions keep their way until a person changes it.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, type ServerOptions, startServer } from "@patchbay/testing/server-process";
import { sandboxProblem, unless } from "@patchbay/testing/skips";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { temporaryDirectory } from "@patchbay/testing/test-run";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { openSession } from "../../support/actor.ts";
import { answerFirst, firstQuestion } from "../../support/answer-first.ts";
import { record } from "../../support/open-store.ts";

const problem = await sandboxProblem();
const works = problem === null;
const here = unless(problem);

/** A PATH with what a shell needs, and no bubblewrap. */
function pathWithout(): string {
  const directory = temporaryDirectory("path");
  for (const name of ["sh", "bash", "cat", "env", "git", "ls", "touch"])
    symlinkSync(join("/usr/bin", name), join(directory, name));
  return directory;
}

const start = (model: FakeModel, options: ServerOptions = {}): Promise<RunningServer> =>
  startServer({
    ...options,
    env: { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`, ...options.env },
  });

const safetyOf = async (server: RunningServer): Promise<Record<string, unknown>> =>
  ((await server.call("GET", "/api/safety")).body as { safety: Record<string, unknown> }).safety;

const settingsOf = ({ transcript }: TestViewer) => {
  const { jail, approval_mode, jail_problem } = transcript.surface.settings ?? {};
  return { jail, approval_mode, ...(jail_problem === undefined ? {} : { jail_problem }) };
};

/** Has the agent run a command that looks for the server's files. */
async function look(viewer: TestViewer, model: FakeModel, home: string): Promise<void> {
  const command = `cat ${home}/.patchbay/token; echo over`;
  model.reply({ toolCalls: [{ name: "bash", args: { command } }] }, { text: "ok" });
  await viewer.ask({ type: "prompt", message: "look" });
}

const lastResult = (viewer: TestViewer): string =>
  JSON.stringify(viewer.transcript.messages.findLast(({ role }) => role === "tool")?.content) ?? "";

describe("a new home", () => {
  it("[W158] where the sandbox works: confined, and commands run without asking", here, async () => {
    await using model = await startFakeModel();
    await using server = await start(model);
    expect(await safetyOf(server)).toEqual({
      sandbox: { works: true },
      jail: "on",
      approvals: "full",
      approvals_by: "default",
      configured: false,
      legacy: false,
      hint: false,
    });
    await using viewer = await openSession(server);
    expect(settingsOf(viewer)).toEqual({ jail: "on", approval_mode: "full" });
    await look(viewer, model, server.home);
    await viewer.until(() => lastResult(viewer).includes("over"));
    expect(lastResult(viewer)).toContain("No such file or directory");
    expect(lastResult(viewer)).not.toContain(server.token);
    // One click, also in a session whose worker has ended.
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    expect(await viewer.ask({ type: "set_jail", mode: "off" })).toMatchObject({ success: true });
    await look(viewer, model, server.home);
    await viewer.until(() => lastResult(viewer).includes(server.token));
  });

  it("[W158] where it does not work: commands ask, and everybody is told why", async () => {
    await using model = await startFakeModel();
    await using server = await start(model, { env: { PATH: pathWithout() } });
    expect(await safetyOf(server)).toMatchObject({
      sandbox: {
        works: false,
        problem: "bubblewrap is not installed",
        remedy: expect.stringContaining("apt install bubblewrap"),
      },
      jail: "off",
      approvals: "auto-edit",
    });
    await using viewer = await openSession(server);
    expect(settingsOf(viewer)).toEqual({
      jail: "off",
      approval_mode: "auto-edit",
      jail_problem: expect.stringContaining("bubblewrap is not installed"),
    });
    await look(viewer, model, server.home);
    expect(await firstQuestion(viewer)).toMatchObject({ tool: "bash" });
    await answerFirst(viewer, "Deny");
    await viewer.state("idle");
    expect(lastResult(viewer)).not.toContain(server.token);
    expect(await viewer.ask({ type: "set_jail", mode: "on" })).toMatchObject({
      success: false,
      error: expect.stringContaining("bubblewrap is not installed"),
    });
  });

  const overrides = [
    [{ jail: "off" }, { jail: "off", approval_mode: "auto-edit" }],
    [{ approvals: "ask" }, { jail: works ? "on" : "off", approval_mode: "ask" }],
    [
      { jail: "off", approvals: "full" },
      { jail: "off", approval_mode: "full" },
    ],
    [{ jail: "enforced" }, { jail: "enforced", approval_mode: works ? "full" : "auto-edit" }],
  ] as const;
  it.each(overrides)("[W158] one line of config changes it: %j", async (agent, expected) => {
    await using model = await startFakeModel();
    await using server = await start(model, { config: { agent } });
    expect(await safetyOf(server)).toMatchObject({ configured: true });
    await using viewer = await openSession(server);
    expect(settingsOf(viewer)).toMatchObject(expected);
  });
});

/** As a version before this one has left it. */
async function makeOldHome(home: string): Promise<void> {
  const store = await SqliteStore.open({ home, segmentBytes: 1_000_000, onWriteError: () => {} });
  await store.createSession(record("5b0d0c5c-0000-4000-8000-000000000001", { cwd: home, worker: "builtin" }));
  await store.close();
  const database = new DatabaseSync(join(home, "patchbay.db"));
  database.exec("delete from kysely_migration where name = '011_safety'; drop table settings");
  database.close();
}

describe("a home of an earlier version", () => {
  it("[W159] [W222] keeps its way until a person changes it, and says so", async () => {
    await using model = await startFakeModel();
    await using server = await start(model, { prepare: makeOldHome });
    expect(await safetyOf(server)).toMatchObject({
      jail: "off",
      approvals: "full",
      legacy: true,
      hint: true,
    });
    await using old = await openSession(server);
    expect(settingsOf(old)).toMatchObject({ jail: "off", approval_mode: "full" });
    await look(old, model, server.home);
    await old.until(() => lastResult(old).includes(server.token));
    // "Not now" is kept; the rest stays as it is.
    expect((await server.call("PATCH", "/api/safety", { hint: false })).body).toMatchObject({
      safety: { legacy: true, hint: false },
    });
    await server.kill();
    await server.start();
    expect(await safetyOf(server)).toMatchObject({ jail: "off", legacy: true, hint: false });
    expect((await server.call("PATCH", "/api/safety", { legacy: true })).status).toBe(400);
    // [W222] How new sessions ask is chosen apart from that.
    expect((await server.call("PATCH", "/api/safety", { approvals: "ask" })).body).toMatchObject({
      safety: { legacy: true, approvals: "ask", approvals_by: "person" },
    });
    await using asking = await openSession(server);
    expect(settingsOf(asking)).toMatchObject({ jail: "off", approval_mode: "ask" });
    await server.kill();
    await server.start();
    expect(await safetyOf(server)).toMatchObject({ approvals: "ask", approvals_by: "person" });
    expect((await server.call("PATCH", "/api/safety", { approvals: null })).body).toMatchObject({
      safety: { approvals: "full", approvals_by: "default" },
    });
  });

  it(
    "[W159] is as safe as a new one after one click, for new sessions and after a restart",
    here,
    async () => {
      await using model = await startFakeModel();
      await using server = await start(model, { prepare: makeOldHome });
      await using old = await openSession(server);
      const { body } = await server.call("PATCH", "/api/safety", { legacy: false });
      expect(body).toMatchObject({ safety: { jail: "on", approvals: "full", legacy: false, hint: false } });
      await using fresh = await openSession(server);
      expect(settingsOf(fresh)).toEqual({ jail: "on", approval_mode: "full" });
      // A session keeps what it was made with.
      await server.call("POST", `/api/sessions/${String(old.session?.id)}/stop`);
      await look(old, model, server.home);
      await old.until(() => lastResult(old).includes(server.token));
      await server.kill();
      await server.start();
      expect(await safetyOf(server)).toMatchObject({ jail: "on", legacy: false });
    },
  );
});

describe("the first line", () => {
  const firstLine = (server: RunningServer): string =>
    String(JSON.parse(server.stderr().split("\n")[0] ?? "").msg);

  it("[W160] says what protects the person: a sandbox", here, async () => {
    await using server = await startServer();
    expect(firstLine(server)).toBe(
      "Sandbox: bubblewrap. In new sessions the built-in agent reaches only its own directory, and runs commands without asking.",
    );
  });

  it("[W160] or that there is none, and what to do", async () => {
    await using server = await startServer({ env: { PATH: pathWithout() } });
    expect(firstLine(server)).toMatch(
      /^No sandbox \(bubblewrap is not installed\)\. Install it: apt install bubblewrap.* In new sessions the built-in agent asks before it runs commands\.$/,
    );
  });

  it("[W160] or that a home keeps its earlier setting", async () => {
    await using server = await startServer({ prepare: makeOldHome });
    expect(firstLine(server)).toContain("This home keeps its earlier setting");
  });
});
