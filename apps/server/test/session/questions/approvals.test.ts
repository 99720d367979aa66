// Approvals behind the server: the question waits there, and what was chosen outlives the worker.
import { startFakeModel } from "@patchbay/testing/fake-model";
import { startReceiver } from "@patchbay/testing/receiver";
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openSession } from "../../support/actor.ts";

describe("approvals behind the server", () => {
  it("[W135] [Q240] [Q242] [Q244] a standing permission answers in a person's place, until it is revoked", async () => {
    await using model = await startFakeModel();
    await using hook = await startReceiver();
    await using server = await startServer({
      config: {
        agent: { approvals: "ask", jail: "off" },
        webhooks: [{ url: `${hook.url}/hook`, secret_env: "HOOK_SECRET", events: ["session.needs_you"] }],
      },
      env: {
        HOOK_SECRET: "whsec_c2VjcmV0IG9mIHRoZSBob29r",
        ANTHROPIC_API_KEY: "sk-ant-test-key",
        ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
      },
    });
    await using viewer = await openSession(server);
    const run = async (...commands: string[]): Promise<void> => {
      const toolCalls = commands.map((command) => ({ name: "bash", args: { command } }));
      model.reply({ toolCalls }, { text: "ok" });
      await viewer.ask({ type: "prompt", message: commands.join() });
    };
    const idleWith = (count: number) => () =>
      viewer.session?.state === "idle" && viewer.transcript.messages.length === count;
    const answer = (given: object): void => {
      viewer.send({ type: "extension_ui_response", id: String(viewer.session?.pending[0]?.id), ...given });
    };
    const allow = "Allow once";
    const questions = (): object[] => viewer.transcript.marks.filter(({ kind }) => kind === "question");

    await run("echo first");
    await viewer.state("waiting");
    expect(viewer.session?.pending[0]).toMatchObject({ tool: "bash", args: { command: "echo first" } });
    // What does not fit the question allows nothing, and the question stays.
    for (const remember of [
      { what: "prefix", where: "session", prefix: ["rm"] },
      { what: "prefix", where: "session", prefix: ["echo", "first; rm"] },
      { what: "prefix", where: "session" },
      { what: "everything", where: "session" },
      { what: "tool", where: "everywhere" },
    ])
      answer({ value: allow, remember });
    answer({ value: "Deny it", remember: { what: "tool", where: "session" } });
    await viewer.ask({ type: "ping" });
    expect(viewer.session?.pending).toHaveLength(1);
    expect((await server.call("GET", "/api/permissions")).body).toEqual({ permissions: [] });

    answer({ value: allow, remember: { what: "prefix", where: "session", prefix: ["echo"] } });
    await viewer.until(idleWith(4));
    expect(questions()).toMatchObject([
      {
        decision: "allowed",
        by: "viewer",
        answered_by: { label: "a program with the token" },
        permission: { what: "prefix", where: "session" },
      },
    ]);
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await run("echo second", "echo third");
    await viewer.until(idleWith(8));
    expect(JSON.stringify(viewer.transcript.messages)).toContain("third");
    expect(questions().slice(1)).toMatchObject([
      { by: "permission", decision: "allowed" },
      { by: "permission" },
    ]);

    await run("echo fourth; touch made");
    await viewer.until(() => viewer.session?.pending.length === 1);
    answer({ value: allow, remember: { what: "command", where: "directory" } });
    await viewer.until(idleWith(12));
    const { permissions } = (await server.call("GET", "/api/permissions")).body as {
      permissions: { id: string; what: string }[];
    };
    expect(permissions).toMatchObject([
      { what: "command", command: "echo fourth; touch made", session: null, agent: "builtin" },
      { what: "prefix", prefix: ["echo"], session: viewer.session?.id },
    ]);
    for (const { id } of permissions)
      expect((await server.call("DELETE", `/api/permissions/${id}`)).status).toBe(204);
    expect((await server.call("DELETE", `/api/permissions/${permissions[0]?.id}`)).status).toBe(404);
    await viewer.ask({ type: "set_approval_mode", mode: "auto-edit" });
    await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
    await run("echo fifth");
    await viewer.until(() => viewer.session?.pending.length === 1);
    await viewer.ask({ type: "abort" });
    await viewer.until(() => viewer.session?.state === "idle" && viewer.session.pending.length === 0);
    expect(viewer.frames.join("")).toContain('"by":"withdrawn"');
    expect(JSON.stringify(viewer.transcript.messages)).not.toContain("fifth\\n\\n[exit");
    await hook.until(() => hook.received.length >= 3);
    expect(hook.received).toHaveLength(3); // those that a person was needed for
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
