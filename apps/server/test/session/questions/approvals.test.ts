// Approvals behind the server: the question waits there, and what was chosen outlives the worker.
import { startFakeModel } from "@patchbay/testing/fake-model";
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openSession } from "../../support/actor.ts";

describe("approvals behind the server", () => {
  it("[W135] the config file sets the mode; mode and always survive a restart of the worker", async () => {
    await using model = await startFakeModel();
    await using server = await startServer({
      config: { agent: { approvals: "ask" } },
      env: { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
    });
    await using viewer = await openSession(server);
    const run = async (command: string): Promise<void> => {
      model.reply({ toolCalls: [{ name: "bash", args: { command } }] }, { text: "ok" });
      await viewer.ask({ type: "prompt", message: command });
    };
    const settled = (count: number) => () =>
      viewer.session?.state === "idle" && viewer.transcript.messages.length === count;
    await run("echo first");
    await viewer.state("waiting");
    const question = viewer.session?.pending[0];
    expect(question).toMatchObject({ tool: "bash", message: "echo first" });
    viewer.send({
      type: "extension_ui_response",
      id: String(question?.id),
      value: "Always allow bash in this session",
    });
    await viewer.until(settled(4));
    expect(viewer.transcript.surface.settings).toMatchObject({ always_allowed: ["bash"] });
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await run("echo second");
    await viewer.until(settled(8));
    expect(JSON.stringify(viewer.transcript.messages)).toContain("second");
    await viewer.ask({ type: "set_approval_mode", mode: "auto-edit" });
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await run("echo third");
    await viewer.until(() => viewer.session?.pending.length === 1);
    await viewer.ask({ type: "abort" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.pending.length === 0);
    expect(viewer.frames.join("")).toContain('"by":"withdrawn"');
    expect(JSON.stringify(viewer.transcript.messages)).not.toContain("third\\n\\n[exit");
  });

  it("[W148] a jail that the config file enforces holds every worker, and no viewer turns it off", async () => {
    await using model = await startFakeModel();
    await using server = await startServer({
      config: { agent: { jail: "enforced" } },
      env: { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
    });
    await using viewer = await openSession(server);
    expect(await viewer.ask({ type: "set_jail", mode: "off" })).toMatchObject({
      success: false,
      error: expect.stringContaining("enforced"),
    });
    model.reply({ toolCalls: [{ name: "read", args: { path: "/etc/passwd" } }] }, { text: "ok" });
    await viewer.ask({ type: "prompt", message: "look" });
    await viewer.until(() => viewer.transcript.messages.length === 4);
    expect(JSON.stringify(viewer.transcript.messages)).toContain("is outside the working directory");
  });
});
