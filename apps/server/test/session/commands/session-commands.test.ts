// Branches, a person's own commands and names behind the server: through restarts, and for every viewer.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageText } from "@patchbay/protocol";
import { type FakeModel, lastMessages, startFakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { attach, openSession } from "../../support/actor.ts";

const startWith = (model: FakeModel): Promise<RunningServer> =>
  startServer({
    env: {
      ANTHROPIC_API_KEY: "sk-ant-test-key-1234567890",
      ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
    },
  });

const words = (viewer: TestViewer): string[] => viewer.transcript.messages.map(messageText);

async function prompt(viewer: TestViewer, message: string): Promise<void> {
  const before = viewer.transcript.messages.length;
  expect(await viewer.ask({ type: "prompt", message })).toMatchObject({ success: true });
  await viewer.until(
    () => viewer.transcript.messages.length >= before + 2 && viewer.transcript.partial === null,
  );
  await viewer.state("idle");
}

const entryOf = (viewer: TestViewer, text: string): string =>
  viewer.transcript.messages.find((message) => messageText(message) === text)?.entry_id ?? "absent";

const idOf = (viewer: TestViewer): string => String(viewer.session?.id);

/** Two branches: `one, two` on main, and `one, deux`, which is shown. */
async function fork(viewer: TestViewer, model: FakeModel): Promise<void> {
  model.reply({ text: "a1" }, { text: "a2" }, { text: "b2" });
  await prompt(viewer, "one");
  await prompt(viewer, "two");
  const back = await viewer.ask({ type: "branch", entryId: entryOf(viewer, "two") });
  expect(back).toMatchObject({ success: true, data: { text: "two", cancelled: false } });
  await prompt(viewer, "deux");
}

describe("branches behind the server", () => {
  it("[B20] after kill -9 of server and worker every branch can be walked, and the model sees the shown one", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using first = await openSession(server);
    await fork(first, model);
    const shown = first.transcript.branch;
    const id = idOf(first);
    await server.kill();
    await server.start();
    await using viewer = await attach(server, id);
    expect({ ...viewer.transcript, marks: [] }).toEqual({ ...first.transcript, marks: [] });
    model.reply({ text: "b3" });
    await prompt(viewer, "trois");
    expect(lastMessages(model)).toContain("b2");
    expect(lastMessages(model)).not.toContain("a2");
    expect(await viewer.ask({ type: "switch_branch", branch: "main" })).toMatchObject({ success: true });
    await viewer.until(() => viewer.transcript.branch === "main");
    expect(words(viewer)).toEqual(["one", "a1", "two", "a2"]);
    const ready = viewer.frames.findLast((frame) => frame.includes('"event":"ready"')) ?? "{}";
    process.kill((JSON.parse(ready) as { pid: number }).pid, "SIGKILL");
    await viewer.state("failed");
    model.reply({ text: "a3" });
    await prompt(viewer, "three");
    expect(lastMessages(model)).toContain("a2");
    expect(lastMessages(model)).not.toContain("b2");
    expect(await viewer.ask({ type: "switch_branch", branch: shown })).toMatchObject({ success: true });
    await viewer.until(() => viewer.transcript.branch === shown);
    expect(words(viewer)).toEqual(["one", "a1", "deux", "b2", "trois", "b3"]);
    // Another viewer, who comes now, sees the same; nothing was given back.
    await using late = await attach(server, id);
    expect(late.transcript).toEqual(viewer.transcript);
    expect(late.session?.usage).toEqual(late.transcript.usage);
    const exported = await server.call("GET", `/api/sessions/${id}/export?format=md`);
    expect(exported.text).toContain("trois");
    expect(exported.text).not.toContain("three");
  });

  it("[B21] so it is when the transcript is too long for one line", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using viewer = await openSession(server);
    model.reply({ text: "a1" }, { text: "a2" });
    await prompt(viewer, "one");
    const long = Array.from({ length: 20 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: [{ type: "text", text: `${index} ${"x".repeat(1024 * 1024)}` }],
      time: "2026-05-01T10:00:00Z",
    }));
    writeFileSync(join(server.cwd, "long.jsonl"), long.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const loaded = await viewer.ask({ type: "switch_session", sessionPath: "long.jsonl" });
    expect(loaded).toMatchObject({ success: true });
    await viewer.until(() => viewer.transcript.messages.length === 20);
    const { branch } = viewer.transcript;
    await viewer.ask({ type: "switch_branch", branch: "main" });
    await server.call("POST", `/api/sessions/${idOf(viewer)}/stop`);
    await prompt(viewer, "two");
    expect(lastMessages(model)).toContain("a1");
    expect(await viewer.ask({ type: "switch_branch", branch })).toMatchObject({
      success: true,
      data: { message_count: 20 },
    });
  });

  it("[B23] `branch` sent again runs once", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using viewer = await openSession(server);
    await prompt(viewer, "one");
    const command = { id: "back", type: "branch", entryId: entryOf(viewer, "one") };
    const first = await viewer.ask(command);
    await using again = await attach(server, idOf(viewer), { viewer: viewer.key });
    expect(await again.ask(command)).toEqual(first);
    expect(again.transcript.branches).toHaveLength(2);
  });

  it("[B24] looking at branches, statistics and the last answer starts no worker", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using viewer = await openSession(server);
    await fork(viewer, model);
    await server.call("POST", `/api/sessions/${idOf(viewer)}/stop`);
    await viewer.state("stopped");
    const shown = viewer.transcript.branch;
    expect(await viewer.ask({ type: "get_branches" })).toMatchObject({
      data: { branch: shown, points: [{ at: 2, branches: ["main", shown], chosen: 1 }] },
    });
    expect(await viewer.ask({ type: "get_branch_messages" })).toMatchObject({
      data: { messages: [{ text: "one" }, { text: "deux" }] },
    });
    expect(await viewer.ask({ type: "get_last_assistant_text" })).toMatchObject({ data: { text: "b2" } });
    const { usage } = viewer.transcript;
    expect(await viewer.ask({ type: "get_session_stats" })).toMatchObject({
      data: { sessionId: idOf(viewer), userMessages: 2, assistantMessages: 2, cost: usage.cost_usd },
    });
    expect(await viewer.ask({ type: "abort_bash" })).toMatchObject({ success: true });
    expect(viewer.session?.state).toBe("stopped");
  });
});

describe("a person's own command behind the server", () => {
  it("[B22] makes the session busy, a prompt starts all the same, and it survives a restart", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using viewer = await openSession(server);
    const go = join(server.cwd, "go");
    viewer.send({
      id: "sh",
      type: "bash",
      command: `echo begun; until [ -e go ]; do sleep 0.05; done; echo whole`,
    });
    await viewer.until(
      () => viewer.session?.job === "bash" && viewer.transcript.bash[0]?.output === "begun\n",
    );
    expect(viewer.session?.state).toBe("busy");
    await using late = await attach(server, idOf(viewer));
    expect(late.transcript.bash).toMatchObject([{ output: "begun\n", ended: null }]);
    model.reply({ text: "meanwhile" }, { text: "I see" });
    expect(await viewer.ask({ type: "prompt", message: "go on" })).toMatchObject({ data: { started: true } });
    await viewer.until(() => words(viewer).includes("meanwhile"));
    writeFileSync(go, "");
    expect(await viewer.response("sh")).toMatchObject({
      success: true,
      data: { output: "begun\nwhole\n", exitCode: 0, cancelled: false, truncated: false },
    });
    await viewer.state("idle");
    expect(viewer.transcript.messages.at(-1)).toMatchObject({ role: "user", bash: { exit_code: 0 } });
    await server.call("POST", `/api/sessions/${idOf(viewer)}/stop`);
    await prompt(viewer, "what did I run?");
    expect(lastMessages(model)).toContain("whole");
    expect(viewer.transcript.messages.filter(({ bash }) => bash !== undefined)).toHaveLength(1);
  });

  it("[B23] sent again it runs once, also across kill -9 of the server while it runs", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using viewer = await openSession(server);
    const quick = { id: "q", type: "bash", command: "echo x >> quick" };
    const first = await viewer.ask(quick);
    expect(first).toMatchObject({ success: true });
    const slow = { id: "s", type: "bash", command: "echo x >> slow; sleep 600" };
    viewer.send(slow);
    await viewer.until(() => viewer.transcript.bash.length === 1);
    await waitUntil(() => existsSync(join(server.cwd, "slow")));
    await server.kill();
    await server.start();
    await using again = await attach(server, idOf(viewer), { viewer: viewer.key });
    expect(await again.ask(quick)).toEqual(first);
    expect(await again.ask(slow)).toMatchObject({
      success: false,
      error: expect.stringContaining("The transcript shows how far it got"),
    });
    expect(again.transcript.messages.map(({ bash }) => bash?.cancelled)).toEqual([false, true]);
    for (const name of ["quick", "slow"]) expect(readFileSync(join(server.cwd, name), "utf8")).toBe("x\n");
  });
});

describe("the name of a session", () => {
  it("[B25] reaches the record and every viewer, however it was given", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model);
    await using viewer = await openSession(server);
    await using other = await attach(server, idOf(viewer));
    expect(await viewer.ask({ type: "set_session_name", name: "" })).toMatchObject({
      success: false,
      error: "Session name cannot be empty",
    });
    expect(await viewer.ask({ type: "set_session_name", name: " First " })).toMatchObject({ success: true });
    await other.until(() => other.session?.name === "First");
    await server.call("PATCH", `/api/sessions/${idOf(viewer)}`, { name: "Second" });
    await other.until(() => other.session?.name === "Second");
    await prompt(viewer, "hello");
    const { data } = await viewer.ask({ type: "export_html", outputPath: "page.html" });
    expect(readFileSync((data as { path: string }).path, "utf8")).toContain("<title>Second</title>");
    await server.kill();
    await server.start();
    const { body } = await server.call("GET", `/api/sessions/${idOf(viewer)}`);
    expect(body).toMatchObject({ session: { name: "Second" } });
  });
});
