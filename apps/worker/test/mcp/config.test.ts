// The config files of MCP servers: who wins, what is refused and how, and what a project may start.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expand } from "../../src/mcp/expand.ts";
import { toolName } from "../../src/mcp/tools.ts";
import { putFile } from "../context/put-file.ts";
import { only, type Rig, runTool, secret, startRig } from "../rig.ts";
import { configOf, mcpTools, ready, seen, startMcpRig, stdioServer } from "./mcp-rig.ts";

const notices = (rig: Rig): string[] =>
  only(rig.worker.frames, "ext_notify").map((frame) => String(frame["message"]));

describe("the config of MCP servers", () => {
  it("[M13] mistakes are told by file and field, and stop no other server", async () => {
    await using rig = await startMcpRig({
      own: {
        good: stdioServer(),
        "bad name": stdioServer(),
        neither: {},
        both: { command: "x", url: "http://127.0.0.1" },
        old: { type: "sse", url: "http://127.0.0.1" },
        ftp: { url: "ftp://example.org" },
        wrong: { command: ["x"] },
        key: { command: "x", env: { K: "${ANTHROPIC_API_KEY}" } },
      },
    });
    await ready(rig, "good");
    await rig.worker.prompt("hello");
    expect(mcpTools(rig)).toContain("mcp__good__echo");
    const told = notices(rig).join("\n");
    const file = join(rig.home, ".patchbay/mcp.json");
    for (const words of [
      "mcpServers.bad name: a name has at most 40 letters",
      'mcpServers.neither: it needs a "command" to start or a "url" to call',
      'mcpServers.both: give either "command" or "url", not both',
      'mcpServers.old: "sse" is no longer a transport',
      "mcpServers.ftp: url must be an http or https address",
      "mcpServers.wrong: command:",
      "mcpServers.key: the variable ANTHROPIC_API_KEY is not set, or not for MCP servers",
    ]) {
      expect(told).toContain(`${file}: ${words}`);
    }
    expect(told).not.toContain(secret);
  });

  it("[M13] a file that is no JSON is told", async () => {
    await using rig = await startRig({
      prepare: ({ home }) => putFile(home, ".patchbay/mcp.json", "{ not json"),
    });
    await rig.worker.prompt("hello");
    expect(notices(rig).join()).toContain(`${join(rig.home, ".patchbay/mcp.json")} cannot be used:`);
  });

  it("[M14] a project's servers start when its directory is trusted, without a turn waiting for it", async () => {
    await using rig = await startMcpRig({ project: { p: { ...stdioServer(), env: { T: "hidden" } } } });
    await rig.worker.ask({ type: "hello" });
    const [question] = await seen(rig, "extension_ui_request");
    await rig.worker.prompt("hello");
    expect(mcpTools(rig)).toEqual([]);
    expect(question).toMatchObject({ method: "select" });
    expect(JSON.stringify(question)).toContain("MCP server p: ");
    expect(JSON.stringify(question)).not.toContain("hidden");
    const options = question?.["options"];
    rig.worker.send({
      type: "extension_ui_response",
      id: String(question?.["id"]),
      value: Array.isArray(options) ? options[0] : undefined,
    });
    await ready(rig, "p");
    expect(await runTool(rig, "mcp__p__echo", { text: "now" })).toMatchObject({ text: "now" });
    expect(await readFile(join(rig.home, ".patchbay/trusted.json"), "utf8")).toContain(rig.directory);
  });

  it("[M14] the one question names the project's servers and its extensions", async () => {
    await using rig = await startMcpRig({ project: { p: stdioServer() } });
    const manifest = { name: "guard", version: "1.0.0", exec: "./guard.sh" };
    await putFile(rig.directory, ".patchbay/extensions/guard/extension.json", JSON.stringify(manifest));
    await putFile(rig.directory, ".patchbay/extensions/guard/guard.sh", "#!/bin/sh\n");
    await rig.worker.ask({ type: "hello" });
    const [question] = await seen(rig, "extension_ui_request");
    expect(question?.["message"]).toContain("MCP server p: ");
    expect(question?.["message"]).toContain("guard");
    await rig.worker.prompt("hello");
    expect(only(rig.worker.frames, "extension_ui_request")).toHaveLength(1);
  });

  it("[M14] --trust-project starts them at once; a person's own server of the same name wins, disabled too", async () => {
    await using rig = await startMcpRig({
      args: ["--trust-project"],
      own: { a: stdioServer(), b: { ...stdioServer(), disabled: true } },
      project: {
        a: { ...stdioServer(), env: { WHOSE: "project" } },
        b: stdioServer(),
        c: { ...stdioServer(), env: { WHOSE: "project" } },
      },
    });
    await ready(rig, "a", "c");
    expect((await runTool(rig, "mcp__a__environment", {})).text).not.toContain("WHOSE");
    expect((await runTool(rig, "mcp__c__environment", {})).text).toContain("WHOSE");
    expect(mcpTools(rig).filter((name) => name.startsWith("mcp__b__"))).toEqual([]);
  });

  it("[M14] .patchbay/mcp.json goes before .mcp.json", async () => {
    await using rig = await startRig({
      args: ["--trust-project"],
      async prepare({ directory }) {
        await putFile(directory, ".mcp.json", configOf({ x: { command: "no-such-program-here" } }));
        await putFile(directory, ".patchbay/mcp.json", configOf({ x: stdioServer() }));
      },
    });
    await ready(rig, "x");
    expect(await runTool(rig, "mcp__x__echo", { text: "ours" })).toMatchObject({ text: "ours" });
  });

  it("[M13] variables: given, defaulted, or refused by name", () => {
    expect(expand("a ${X} b ${Y:-z} ${E:-empty} $X ${}", { X: "1", E: "" })).toBe("a 1 b z empty $X ${}");
    expect(() => expand("${SECRET}", {})).toThrow("the variable SECRET is not set");
    expect(() => expand("${constructor}", {})).toThrow("the variable constructor is not set");
  });

  it("[M1] names fit what providers take, and stay different", () => {
    expect(toolName("s", "get.user/name")).toBe("mcp__s__get_user_name");
    const long = toolName("server", "x".repeat(100));
    expect(long).toHaveLength(64);
    expect(long).not.toBe(toolName("server", `${"x".repeat(100)}y`));
  });
});
