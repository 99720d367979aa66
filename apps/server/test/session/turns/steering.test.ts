// Steering, following up and settings through the server: what runs at once, what waits, and what survives.
import { startFakeModel } from "@patchbay/testing/fake-model";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, openSession, useSharedActor } from "../../support/actor.ts";

const startWith = (baseUrl: string): Promise<RunningServer> =>
  startServer({
    env: { ANTHROPIC_API_KEY: "sk-ant-test-key-1234567890", ANTHROPIC_BASE_URL: `${baseUrl}/anthropic` },
  });

const said = ({ transcript }: TestViewer): string[] =>
  transcript.messages.flatMap(({ role, content }) =>
    role === "user" && content[0]?.type === "text" ? [content[0].text] : [],
  );
const turnsOf = ({ transcript }: TestViewer): number =>
  transcript.marks.filter(({ kind }) => kind === "turn").length;
const queued = (viewer: TestViewer): string[] => {
  const items = viewer.lines.findLast((line) => line.type === "queue")?.["items"];
  return Array.isArray(items) ? items.map((item: { message: string }) => item.message) : [];
};
const streaming = (viewer: TestViewer): Promise<unknown> =>
  viewer.until(() => (viewer.transcript.partial?.content.length ?? 0) > 0);

describe("steering through the server", () => {
  it("[C30] a steer goes into the running turn, once, however often the same viewer sends it", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one", hangBefore: "end" }, { text: "two" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "first" });
    await streaming(viewer);
    const steer = { type: "steer", id: "s1", message: "rather this" };
    expect((await viewer.ask(steer)).data).toEqual({ started: false, steered: true });
    expect((await viewer.ask(steer)).data).toEqual({ started: false, steered: true });
    await viewer.until(() => viewer.transcript.surface.steering.length === 1);
    model.release();
    await viewer.until(() => turnsOf(viewer) === 1 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["first", "rather this"]);
    expect(viewer.transcript.surface.steering).toEqual([]);
    expect(model.requests).toHaveLength(2);
  });

  it("[C30] when nothing runs it starts a turn; sent while the turn is only starting, it waits for it", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one" }, { text: "two", hangBefore: "end" }, { text: "three" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    expect((await viewer.ask({ type: "steer", message: "hello" })).data).toEqual({ started: true });
    await viewer.until(() => turnsOf(viewer) === 1 && viewer.session?.state === "idle");
    viewer.send({ type: "prompt", message: "go" });
    const steered = await viewer.ask({ type: "prompt", message: "wait", streamingBehavior: "steer" });
    expect(steered.data).toEqual({ started: false, steered: true });
    await streaming(viewer);
    model.release();
    await viewer.until(() => turnsOf(viewer) === 2 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["hello", "go", "wait"]);
  });

  it("[C31] a worker that dies with a steer that had not taken effect: it waits in the queue, and runs once", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one", hangBefore: "end" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "first" });
    await streaming(viewer);
    await viewer.ask({ type: "steer", message: "do not lose me" });
    const pid = viewer.session?.["pid"];
    if (typeof pid !== "number") throw new Error("no worker");
    process.kill(pid, "SIGKILL");
    await viewer.until(() => queued(viewer).length === 1);
    expect(queued(viewer)).toEqual(["do not lose me"]);
    model.reply({ text: "two" });
    await viewer.ask({ type: "queue_resume" });
    await viewer.until(() => said(viewer).length === 2 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["first", "do not lose me"]);
    expect(queued(viewer)).toEqual([]);
  });

  it("[C31] across kill -9 of the server: what had not taken effect waits, what had is not said again", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one", hangBefore: "end" }, { text: "two", hangBefore: "end" });
    await using server = await startWith(model.baseUrl);
    const first = await openSession(server);
    const id = String(first.session?.id);
    await first.ask({ type: "prompt", message: "first" });
    await streaming(first);
    await first.ask({ type: "steer", message: "taken" });
    model.release();
    await first.until(() => said(first).length === 2);
    await streaming(first);
    await first.ask({ type: "steer", message: "not taken" });
    await server.kill();
    await server.start();
    await using viewer = await attach(server, id);
    await viewer.until(() => queued(viewer).length === 1);
    expect(queued(viewer)).toEqual(["not taken"]);
    expect(said(viewer)).toEqual(["first", "taken"]);
  });

  it("[C32] an abort keeps what was steered for the next prompt", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one", hangBefore: "end" }, { text: "two" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "first" });
    await streaming(viewer);
    await viewer.ask({ type: "steer", message: "left over" });
    await viewer.ask({ type: "abort" });
    await viewer.until(() => viewer.session?.state === "idle");
    expect(viewer.transcript.surface.steering).toEqual(["left over"]);
    await viewer.ask({ type: "prompt", message: "go on" });
    await viewer.until(() => turnsOf(viewer) === 2 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["first", "left over", "go on"]);
    expect(turnsOf(viewer)).toBe(2);
  });

  it("[C33] a worker that cannot be steered says so; following up waits in the queue of any worker", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    expect(await viewer.ask({ type: "set_thinking_level", level: "high" })).toMatchObject({
      success: false,
      error: expect.stringContaining("thinking_levels"),
    });
    viewer.send({ type: "prompt", message: "hang" });
    await viewer.state("busy");
    expect(await viewer.ask({ type: "steer", message: "x" })).toMatchObject({
      success: false,
      error: expect.stringContaining("cannot be steered"),
    });
    expect((await viewer.ask({ type: "follow_up", message: "later" })).data).toEqual({
      started: false,
      queued: true,
    });
    expect(queued(viewer)).toEqual(["later"]);
  });
});

describe("turns in a queue", () => {
  it("[C34] follow_up_mode all: what waits is handed over as one turn; abort_and_prompt goes before it", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one", hangBefore: "end" }, { text: "now" }, { text: "both" });
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await viewer.ask({ type: "set_follow_up_mode", mode: "all" });
    await viewer.ask({ type: "prompt", message: "first" });
    await streaming(viewer);
    await viewer.ask({ type: "follow_up", id: "f1", message: "second" });
    await viewer.ask({ type: "prompt", message: "third", streamingBehavior: "followUp" });
    await viewer.ask({ type: "follow_up", id: "f1", message: "second" });
    expect(queued(viewer)).toEqual(["second", "third"]);
    await viewer.ask({ type: "abort_and_prompt", message: "instead" });
    await viewer.until(() => said(viewer).length === 4 && viewer.session?.state === "idle");
    expect(said(viewer)).toEqual(["first", "instead", "second", "third"]);
    expect(turnsOf(viewer)).toBe(3);
    expect(model.requests.map((call) => call.userText)).toEqual(["first", "instead", "third"]);
  });

  it("[C35] settings are everybody's, outlive the worker, and a chosen model is the session's", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model.baseUrl);
    await using viewer = await openSession(server);
    await using other = await attach(server, String(viewer.session?.id));
    await viewer.until(() => viewer.transcript.surface.settings !== null);
    expect(viewer.transcript.surface.settings).toMatchObject({ thinking_level: "off", auto_retry: true });
    await viewer.ask({ type: "set_auto_retry", enabled: false });
    await viewer.ask({ type: "set_model", provider: "anthropic", modelId: "claude-haiku-4-5" });
    await other.until(() => other.transcript.surface.settings?.["auto_retry"] === false);
    await other.until(() => other.session?.model === "claude-haiku-4-5");
    expect(await viewer.ask({ type: "set_model", provider: "provider", modelId: "model" })).toMatchObject({
      error: "Model not found: provider/model",
    });
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
    expect((await viewer.ask({ type: "abort_retry" })).success).toBe(true);
    expect((await viewer.ask({ type: "set_steering_mode", mode: "all" })).success).toBe(true);
    expect((await viewer.ask({ type: "get_state" })).data).toMatchObject({
      autoRetryEnabled: false,
      steeringMode: "all",
      active_model: { id: "claude-haiku-4-5" },
    });
  });
});
