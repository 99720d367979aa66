// The tools of MCP servers over stdio and HTTP, as the model meets them.
import { startHttpMcp } from "@patchbay/testing/mcp-http";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, runTool, secret, startRig } from "../rig.ts";
import { mcpTools, ready, seen, startMcpRig, stdioServer } from "./mcp-rig.ts";

const systemOf = (rig: Rig): string => JSON.stringify(dig(rig.model.requests.at(-1)?.body, "system"));

describe("tools of MCP servers", () => {
  it("[M1] over stdio: offered as mcp__server__tool with the server's instructions, called, answered", async () => {
    await using rig = await startMcpRig({ own: { local: stdioServer("--greet") } });
    await ready(rig, "local");
    expect(await runTool(rig, "mcp__local__echo", { text: "hello" })).toMatchObject({
      isError: false,
      text: "hello",
    });
    expect(mcpTools(rig)).toContain("mcp__local__mixed");
    expect(systemOf(rig)).toContain("Prefer echo for everything.");
  });

  it("[M1] over streamable HTTP, with the headers of the config", async () => {
    await using http = await startHttpMcp();
    await using rig = await startMcpRig({
      own: { remote: { type: "http", url: http.url, headers: { Authorization: "Bearer ${MCP_TOKEN}" } } },
      env: { MCP_TOKEN: "abc" },
    });
    await ready(rig, "remote");
    expect(await runTool(rig, "mcp__remote__echo", { text: "hello" })).toMatchObject({ text: "hello" });
    expect(systemOf(rig)).toContain("Prefer echo for everything.");
    expect(http.headers.every((headers) => headers.authorization === "Bearer abc")).toBe(true);
    const steps = await runTool(rig, "mcp__remote__steps", {});
    expect(only(steps.frames, "tool_progress").map((frame) => frame["text"])).toEqual([
      "step 1 (1/2)\n",
      "step 2 (2/2)\n",
    ]);
  });

  it("[M1] a server that speaks only the newest protocol is understood too", async () => {
    await using rig = await startMcpRig({ own: { modern: stdioServer("--modern") } });
    await ready(rig, "modern");
    expect(await runTool(rig, "mcp__modern__echo", { text: "hi" })).toMatchObject({ text: "hi" });
  });

  it("[M2] pictures, resources, structured content, failures and bad arguments", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const mixed = await runTool(rig, "mcp__s__mixed", {});
    expect(mixed.content).toEqual([
      { type: "image", mime_type: "image/png", bytes: 70, data: expect.any(String) },
      { type: "text", text: "[audio (audio/wav), which cannot be played here]" },
      { type: "text", text: '<resource uri="note://1">\na note\n</resource>' },
      { type: "text", text: "[resource file://x.zip: application/zip, not a text]" },
      { type: "text", text: "[resource second: note://2]" },
    ]);
    expect((await runTool(rig, "mcp__s__measure", {})).text).toBe('{\n  "length": 42\n}');
    expect(await runTool(rig, "mcp__s__fail", {})).toMatchObject({ isError: true, text: "it did not work" });
    expect(await runTool(rig, "mcp__s__echo", { words: 1 })).toMatchObject({ isError: true });
    const big = await runTool(rig, "mcp__s__big", {});
    expect(big.text).toHaveLength(100 * 1024);
    expect(dig(big.content, 1, "text")).toBe("[cut here: 897600 characters more; ask for less at a time]");
  });

  it("[M3] progress is shown while a call runs", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const run = await runTool(rig, "mcp__s__steps", {});
    expect(only(run.frames, "tool_progress").map((frame) => frame["text"])).toEqual([
      "step 1 (1/2)\n",
      "step 2 (2/2)\n",
    ]);
    expect(run.text).toBe("both done");
  });

  it("[M4] tools that a server adds later take part", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const before = rig.worker.frames.filter((frame) => frame.type === "commands_changed").length;
    await runTool(rig, "mcp__s__grow", {});
    await seen(rig, "commands_changed", before + 1);
    expect(await runTool(rig, "mcp__s__grown", {})).toMatchObject({ text: "hello from the new one" });
  });

  it("[M5] a server sees the shell's environment and its own, never a key", async () => {
    await using rig = await startMcpRig({
      own: { s: { ...stdioServer(), env: { MINE: "${MCP_MINE}", OTHER: "${MCP_ABSENT:-else}" } } },
      env: { MCP_MINE: "yes", MCP_OTHER_SECRET: "no" },
    });
    await ready(rig, "s");
    const { text } = await runTool(rig, "mcp__s__environment", {});
    const seen = JSON.parse(text);
    expect(seen).toMatchObject({ MINE: "yes", OTHER: "else", HOME: rig.home });
    expect(text).not.toContain(secret);
    expect(Object.keys(seen).filter((name) => /^MCP_|API_KEY|TOKEN/.test(name))).toEqual([]);
  });

  it("[M6] without a config there is no MCP tool and nothing of it in the prompt", async () => {
    await using rig = await startRig();
    await rig.worker.prompt("hello");
    expect(mcpTools(rig)).toEqual([]);
    expect(systemOf(rig)).not.toContain("MCP");
    const commands = JSON.stringify(await rig.worker.ask({ type: "get_commands" }));
    expect(commands).not.toContain("mcp");
  });
});
