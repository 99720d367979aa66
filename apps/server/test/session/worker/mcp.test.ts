// MCP through the server: its home has the config, its environment the variables, the page the question.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { repository, startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openSession } from "../../support/actor.ts";

const key = "sk-ant-test-key-1234567890";

describe("MCP behind the server", () => {
  it("[M5] a project's server starts when a viewer trusts the directory, with its MCP_ variable and without the key", async () => {
    await using model = await startFakeModel();
    await using server = await startServer({
      env: {
        ANTHROPIC_API_KEY: key,
        ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
        MCP_GREETING: "hello there",
      },
    });
    const config = {
      command: process.execPath,
      args: [join(repository, "testing/mcp-servers/stdio.mjs")],
      env: { GREETING: "${MCP_GREETING}" },
    };
    mkdirSync(join(server.cwd, ".patchbay"));
    writeFileSync(join(server.cwd, ".patchbay/mcp.json"), JSON.stringify({ mcpServers: { s: config } }));
    await using viewer = await openSession(server);
    await viewer.until(() => (viewer.session?.pending.length ?? 0) > 0);
    const question = viewer.session?.pending[0];
    expect(question).toMatchObject({ method: "select", title: "Trust this directory?" });
    viewer.send({ type: "extension_ui_response", id: String(question?.id), value: "Trust this directory" });
    await viewer.until(() => viewer.frames.some((line) => line.includes(`"commands_changed"`)));
    model.reply({ toolCalls: [{ name: "mcp__s__environment", args: {} }] }, { text: "seen" });
    await viewer.ask({ type: "prompt", message: "look" });
    await viewer.until(() => viewer.transcript.marks.some((mark) => mark.kind === "turn"));
    const seen = JSON.stringify(viewer.transcript.messages);
    expect(seen).toContain("hello there");
    expect(seen).not.toContain(key);
    expect(seen).not.toContain("MCP_GREETING");
  });
});
