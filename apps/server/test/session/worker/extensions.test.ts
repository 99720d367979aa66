// Extensions behind the server: a question that waits for trust, commands that become turns, panels that
// every viewer sees, and nothing left behind.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { isAlive, processesWith } from "@patchbay/testing/processes";
import { type RunningServer, repository, startServer } from "@patchbay/testing/server-process";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../../support/actor.ts";

const startWith = (baseUrl: string): Promise<RunningServer> =>
  startServer({ env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: `${baseUrl}/anthropic` } });

/** One command that is a prompt, one that opens a panel. */
const source = `
const emit = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
emit({ type: "hello", name: "local", version: "1.0.0" });
emit({ type: "register_command", name: "ask", description: "asks the model" });
emit({ type: "register_command", name: "show" });
emit({ type: "ready" });
process.stdin.on("data", (chunk) => {
  for (const line of String(chunk).trim().split("\\n")) {
    const { type, id, name, args, panel_id, key } = JSON.parse(line);
    if (type === "shutdown") process.exit(0);
    if (type === "panel_key") emit({ type: "panel_render", panel_id, lines: ["pressed " + key] });
    if (type !== "command_invoked") continue;
    if (name === "ask") emit({ type: "command_response", id, action: "prompt", prompt: "tell me about " + args });
    else emit({ type: "command_response", id, action: "open_panel", open_panel: { id: "p", lines: ["hello"] } });
  }
});`;

function addProjectExtension(server: RunningServer): void {
  const directory = join(server.cwd, ".patchbay/extensions/local");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "main.mjs"), source);
  const manifest = { name: "local", exec: process.execPath, args: ["main.mjs"] };
  writeFileSync(join(directory, "extension.json"), JSON.stringify(manifest));
}

describe("extensions behind the server", () => {
  it("[E70] a project's extension waits for trust; then its commands run once, become turns, and open panels for all", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "first" }, { text: "about cats" });
    await using server = await startWith(model.baseUrl);
    addProjectExtension(server);
    await using viewer = await attach(server, await createSession(server));
    await viewer.ask({ type: "prompt", message: "hello" });
    await viewer.until(() => (viewer.session?.pending.length ?? 0) > 0);
    await viewer.until(() => viewer.transcript.messages.length === 2);
    const question = viewer.session?.pending[0];
    expect(question).toMatchObject({ method: "select", title: "Trust this directory?" });
    const names = async (): Promise<string[]> => {
      const { data } = await viewer.ask({ type: "get_commands" });
      return (data as { commands: { name: string }[] }).commands.map(({ name }) => name);
    };
    expect(await names()).not.toContain("ask");
    viewer.send({ type: "extension_ui_response", id: String(question?.id), value: "Trust this directory" });
    await viewer.until(() => viewer.frames.some((frame) => frame.includes('"commands_changed"')));
    await expect.poll(names).toEqual(expect.arrayContaining(["reload-ext", "ask", "show"]));

    await using late = await attach(server, String(viewer.session?.id));
    const run = { type: "run_command", id: "r1", name: "ask", args: "cats" };
    const [one, two] = await Promise.all([viewer.ask(run), viewer.ask(run)]);
    expect(one).toMatchObject({ success: true, data: { action: "prompt", text: "tell me about cats" } });
    expect(two).toEqual(one);
    await viewer.until(() => viewer.transcript.messages.length === 4 && viewer.session?.state === "idle");
    expect(model.requests).toHaveLength(2);

    await viewer.ask({ type: "run_command", name: "show" });
    await late.until(() => late.transcript.surface.panels[0]?.lines[0] === "hello");
    await late.ask({ type: "panel_key", panel: "p", key: "down" });
    await viewer.until(() => viewer.transcript.surface.panels[0]?.lines[0] === "pressed down");
    await late.ask({ type: "panel_close", panel: "p" });
    await viewer.until(() => viewer.transcript.surface.panels.length === 0);

    const session = String(viewer.session?.id);
    await server.call("POST", `/api/sessions/${session}/stop`);
    expect(await viewer.ask({ type: "panel_key", panel: "p", key: "up" })).toMatchObject({ success: false });
    expect(await names()).toEqual([]);
    await viewer.state("stopped");
  });

  it("[E70] after kill -9 of the worker no extension is left, and the next worker has its own", async () => {
    await using model = await startFakeModel();
    await using server = await startWith(model.baseUrl);
    const board = join(server.home, ".patchbay/extensions/board");
    cpSync(join(repository, "testing/extensions/board"), board, { recursive: true });
    await using viewer = await openSession(server);
    model.reply({ text: "one" }, { text: "two" });
    await viewer.ask({ type: "prompt", message: "hi" });
    await viewer.until(() => viewer.transcript.messages.length === 2 && viewer.session?.state === "idle");
    const pid = viewer.session?.pid ?? 0;
    expect(pid).toBeGreaterThan(0);
    const extension = processesWith("PWD", board);
    expect(extension).toHaveLength(1);
    process.kill(pid, "SIGKILL");
    await viewer.until(() => viewer.frames.some((frame) => frame.includes('"event":"exited"')));
    await viewer.ask({ type: "prompt", message: "again" });
    await viewer.until(() => viewer.transcript.messages.length === 4 && viewer.session?.state === "idle");
    await waitUntil(() => !extension.some(isAlive));
    const now = processesWith("PWD", board);
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(extension);
  });

  it("[E70] a worker that has no commands is not asked for any", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "say hi" });
    await viewer.until(() => viewer.session?.state === "idle");
    expect(await viewer.ask({ type: "get_commands" })).toMatchObject({
      success: true,
      data: { commands: [] },
    });
    for (const command of [{ type: "run_command", name: "x" }, { type: "reload_extensions" }]) {
      const { success, error } = await viewer.ask(command);
      expect([success, error]).toEqual([false, expect.stringMatching(/^This agent does not support /)]);
    }
  });
});
