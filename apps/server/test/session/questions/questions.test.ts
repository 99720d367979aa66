// Questions to a person are held by the server: seen by every viewer, answered once.
import { describe, expect, it } from "vitest";
import { attach, openSession, useSharedActor } from "../../support/actor.ts";

describe("questions", () => {
  it("[Q1] a question makes the session `waiting`, is pending for a late viewer, and the first answer wins", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "ask" });
    await viewer.state("waiting");
    await using late = await attach(server, String(viewer.session?.id));
    expect(late.session?.pending).toMatchObject([{ id: "q1", method: "confirm", title: "Sure?" }]);
    late.send({ type: "extension_ui_response", id: "q1", confirmed: true });
    await late.until(() => late.frames.some((frame) => frame.includes('"ui_resolved"')));
    await viewer.until(() => viewer.session?.state === "idle");
    viewer.send({ type: "extension_ui_response", id: "q1", confirmed: false });
    const refused = await viewer.line((line) => line["command"] === "extension_ui_response");
    expect(refused).toMatchObject({ success: false });
    expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain('\\"confirmed\\":true');
    expect(viewer.session?.pending).toEqual([]);
  });

  it("[Q2] a question whose time is up is withdrawn, and the worker is told", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "ask 50" });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes('"by":"timeout"')));
    await viewer.state("idle");
    expect(JSON.stringify(viewer.transcript.messages.at(-1))).toContain('\\"cancelled\\":true');
  });

  it("[Q3] a question dies with its worker", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "ask" });
    await viewer.state("waiting");
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await viewer.until(() => viewer.frames.some((frame) => frame.includes('"by":"worker_exit"')));
    await viewer.until(() => viewer.session?.pending.length === 0);
    expect(viewer.session?.state).toBe("stopped");
  });

  it("[E4] a question that its asker withdraws is resolved as withdrawn, and the session goes on", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "withdraw" });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes('"by":"withdrawn"')));
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.pending.length === 0);
  });
});
