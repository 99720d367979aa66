// Commands over the session socket: every bad line gets a clear answer and the session goes on.

import type { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { attach, openSession, startActor, useSharedActor } from "../../support/actor.ts";

describe("commands", () => {
  it("[C1] bad JSON is answered as `parse`, and the socket lives on", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.send("{nonsense\n");
    const line = await viewer.line((candidate) => candidate["command"] === "parse");
    expect(line).toMatchObject({ type: "response", success: false });
    expect(line["error"]).toContain("malformed json");
    expect((await viewer.ask({ type: "ping" })).data).toEqual({ pong: true });
  });

  it("[C2] a numeric id, a missing type, an array: each says what a command is", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.send('{"id":1,"type":"ping"}\n{"message":"x"}\n[1]\n"prompt"\nnull\n');
    await viewer.until(() => viewer.lines.filter((line) => line["command"] === "parse").length === 5);
    const errors = viewer.lines
      .filter((line) => line["command"] === "parse")
      .map((line) => String(line["error"]));
    expect(errors[0]).toContain("id: expected string");
    expect(errors[1]).toContain("type: expected string");
    expect((await viewer.ask({ type: "ping" })).success).toBe(true);
  });

  it("[C3] an unknown command is answered with its id", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const response = await viewer.ask({ id: "u1", type: "make_coffee" });
    expect(response).toMatchObject({ id: "u1", command: "make_coffee", success: false });
    expect(response.error).toContain("unknown command");
  });

  it("[C4] wrong fields of a known command name the field", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const response = await viewer.ask({ type: "prompt", message: 5 });
    expect(response).toMatchObject({
      command: "prompt",
      success: false,
      error: "prompt: message: expected string",
    });
    const image = await viewer.ask({ type: "prompt", images: [{ mime_type: "image/png" }] });
    expect(image.error).toContain("images.0.data");
  });

  it("[C5] an empty prompt is refused in words", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    for (const command of [{ type: "prompt" }, { type: "prompt", message: "  \n" }]) {
      const response = await viewer.ask(command);
      expect(response.success).toBe(false);
      expect(response.error).toContain("The prompt is empty");
    }
  });

  it("[C6] several commands in one message, and one without a final LF, are all carried out", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.send('{"id":"a","type":"ping"}\n\n{"id":"b","type":"ping"}\r\n{"id":"c","type":"ping"}');
    for (const id of ["a", "b", "c"]) expect((await viewer.response(id)).success).toBe(true);
  });

  it("[C7] hello answers what the worker is, never the worker's token", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    const response = await viewer.ask({ type: "hello", token: "whatever" });
    expect(response.data).toMatchObject({ protocol_version: 1, provider: "fixture" });
    expect(JSON.stringify(response)).not.toMatch(/[0-9a-f]{64}/);
  });

  it("[C8] a response goes only to the socket that asked", async () => {
    await using server = await useSharedActor();
    await using one = await openSession(server);
    await using two = await attach(server, String(one.session?.id));
    await one.ask({ id: "mine", type: "ping" });
    await two.ask({ id: "yours", type: "ping" });
    expect(one.lines.some((line) => line["id"] === "yours")).toBe(false);
    expect(two.lines.some((line) => line["id"] === "mine")).toBe(false);
  });

  it("[C9] a prompt sent again by the same viewer after a cut runs once and is answered the same", async () => {
    await using server = await useSharedActor();
    await using first = await openSession(server);
    const session = String(first.session?.id);
    const original = await first.ask({ id: "p1", type: "prompt", message: "say once" });
    await first.state("idle");
    first.cut();
    await using again = await attach(server, session, { viewer: first.key });
    expect(await again.ask({ id: "p1", type: "prompt", message: "say once" })).toEqual(original);
    await using other = await attach(server, session);
    await other.ask({ id: "p1", type: "prompt", message: "say twice" }); // another viewer's p1 is another p1
    await other.until(() => other.transcript.messages.length === 4 && other.transcript.partial === null);
    const said = other.transcript.messages.filter((message) => message.role === "user");
    expect(said.map((message) => message.content[0])).toMatchObject([
      { text: "say once" },
      { text: "say twice" },
    ]);
  });

  it("[C10] prompts while busy join the queue, which every viewer sees and may edit", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await using other = await attach(server, String(viewer.session?.id));
    await viewer.ask({ type: "prompt", message: "hang" });
    for (const message of ["say one", "say two", "say three"]) {
      const response = await viewer.ask({ type: "prompt", message });
      expect(response.data).toEqual({ started: false, queued: true });
    }
    const queue = () =>
      (other.lines.findLast((line) => line.type === "queue")?.["items"] ?? []) as {
        id: string;
        message: string;
      }[];
    await other.until(() => queue().length === 3);
    const [one, two, three] = queue();
    expect(await other.ask({ type: "queue_remove", item: one?.id })).toMatchObject({ success: true });
    expect(await other.ask({ type: "queue_move", item: three?.id, to: 0 })).toMatchObject({ success: true });
    expect((await other.ask({ type: "queue_remove", item: one?.id })).error).toContain(
      "no longer in the queue",
    );
    expect(queue().map((item) => item.message)).toEqual(["say three", "say two"]);
    await using reloaded = await attach(server, String(viewer.session?.id));
    await reloaded.line((line) => line.type === "queue" && (line["items"] as unknown[]).length === 2);
    await viewer.ask({ type: "abort" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.transcript.messages.length === 5);
    const said = viewer.transcript.messages.filter((message) => message.role === "user");
    expect(said.map((message) => message.content[0])).toMatchObject([
      { text: "hang" },
      { text: "say three" },
      { text: "say two" },
    ]);
    expect(two).toBeDefined();
  });

  it("[C11] a full queue refuses in words", async () => {
    await using server = await startActor({ limits: { queue_items: 1 } });
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.ask({ type: "prompt", message: "say one" });
    const refused = await viewer.ask({ type: "prompt", message: "say two" });
    expect(refused).toMatchObject({ success: false });
    expect(refused.error).toContain("queue of this session is full");
  });

  it("[C12] an abort in the same breath as the prompt takes it back before it starts", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.send('{"id":"p","type":"prompt","message":"hang"}\n{"id":"x","type":"abort"}\n');
    expect((await viewer.response("x")).success).toBe(true);
    expect(await viewer.response("p")).toMatchObject({
      success: false,
      error: "Stopped before it started.",
    });
    await viewer.state("idle");
    await viewer.ask({ type: "prompt", message: "say on" });
    await viewer.until(() => viewer.frames.at(-1) === '{"type":"done"}');
    expect(viewer.transcript.messages).toHaveLength(2);
  });

  it("[C13] an abort when idle succeeds and does nothing", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    expect(await viewer.ask({ type: "abort" })).toMatchObject({ command: "abort", success: true });
  });

  it("[C400] a session is not cleared while its agent works", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    const refused = await viewer.ask({ type: "clear" });
    expect(refused).toMatchObject({ success: false, error: expect.stringContaining("Stop it first") });
    await viewer.ask({ type: "abort" });
    await viewer.state("idle");
    expect(viewer.transcript.messages.length).toBeGreaterThan(0);
  });

  const waiting = (viewer: TestViewer): string[] =>
    z
      .array(z.looseObject({ message: z.string() }))
      .parse(viewer.lines.findLast((line) => line["type"] === "queue")?.["items"] ?? [])
      .map(({ message }) => message);
  const said = (viewer: TestViewer): unknown[] =>
    viewer.transcript.messages.filter(({ role }) => role === "user").map(({ content }) => content[0]);

  const turns = (viewer: TestViewer, count: number): Promise<void> =>
    viewer.until(
      () =>
        viewer.transcript.marks.filter(({ kind }) => kind === "turn").length === count &&
        viewer.session?.job === null,
    );

  it("[C36] an abort with `hold_queue` keeps what waits waiting until somebody wants it to go on", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.ask({ type: "prompt", message: "say one" });
    await viewer.ask({ type: "prompt", message: "say two" });
    expect((await viewer.ask({ type: "abort", hold_queue: true })).success).toBe(true);
    await turns(viewer, 1);
    // A prompt goes ahead of it, and does not set it going either.
    await viewer.ask({ type: "prompt", message: "say instead" });
    await turns(viewer, 2);
    expect(waiting(viewer)).toEqual(["say one", "say two"]);
    expect((await viewer.ask({ type: "queue_resume" })).success).toBe(true);
    await turns(viewer, 4);
    expect(said(viewer)).toMatchObject(
      ["hang", "say instead", "say one", "say two"].map((text) => ({ text })),
    );
  });

  it("[C36] what is added to a queue that is held sets it going", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.ask({ type: "prompt", message: "say one" });
    await viewer.ask({ type: "abort", hold_queue: true });
    await turns(viewer, 1);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.ask({ type: "prompt", message: "say two" });
    await viewer.ask({ type: "abort" });
    await turns(viewer, 4);
    expect(said(viewer)).toMatchObject(["hang", "hang", "say one", "say two"].map((text) => ({ text })));
  });

  it("[C37] a prompt of the queue that is stopped with it before it has begun is still the first of it", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.ask({ type: "prompt", message: "say one" });
    await viewer.ask({ type: "prompt", message: "say two" });
    await viewer.ask({ type: "abort", hold_queue: true });
    await turns(viewer, 1);
    await server.call("POST", `/api/sessions/${viewer.session?.id}/stop`);
    await viewer.state("stopped");
    viewer.send('{"id":"r","type":"queue_resume"}\n{"id":"x","type":"abort","hold_queue":true}\n');
    expect((await viewer.response("x")).success).toBe(true);
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.job === null);
    expect(waiting(viewer)).toEqual(["say one", "say two"]);
    await viewer.ask({ type: "queue_resume" });
    await turns(viewer, 3);
    expect(said(viewer)).toMatchObject(["hang", "say one", "say two"].map((text) => ({ text })));
  });

  it("[C14] a compaction ends with compact_done, without a `done`; the next prompt runs", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    expect((await viewer.ask({ type: "compact" })).data).toEqual({ started: true });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "compaction"));
    await viewer.state("idle");
    await viewer.ask({ type: "prompt", message: "say on" });
    await viewer.until(() => viewer.frames.at(-1) === '{"type":"done"}');
  });

  it("[C15] a line over the limit closes the socket with 1009, and only that socket", async () => {
    await using server = await startActor({ limits: { viewer_line_bytes: 100_000 } });
    await using viewer = await openSession(server);
    await using other = await attach(server, String(viewer.session?.id));
    viewer.send({ type: "prompt", message: "x".repeat(200_000) });
    expect((await viewer.untilClosed()).code).toBe(1009);
    expect((await other.ask({ type: "ping" })).success).toBe(true);
  });

  it("[C16] looking at a stopped session does not start its worker", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "say hello" });
    await viewer.state("idle");
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.state("stopped");
    expect((await viewer.ask({ type: "get_state" })).data).toMatchObject({ busy: false, message_count: 2 });
    expect((await viewer.ask({ type: "get_messages" })).data).toMatchObject({
      messages: [{ role: "user" }, { role: "assistant" }],
    });
    expect((await viewer.ask({ type: "ping" })).success).toBe(true);
    expect(viewer.session?.state).toBe("stopped");
  });
});
