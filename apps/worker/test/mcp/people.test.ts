// What MCP servers offer people: prompts as slash commands, and questions of their own.
import { describe, expect, it } from "vitest";
import { dig, only, type Rig } from "../rig.ts";
import { ready, startMcpRig, stdioServer } from "./mcp-rig.ts";

describe("MCP servers and people", () => {
  it("[M15] prompts are slash commands with their arguments in order, the last takes the rest", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const listed = dig(await rig.worker.ask({ type: "get_commands" }), "data", "commands");
    expect(listed).toContainEqual({
      name: "mcp__s__greet",
      description: "Greets somebody",
      source: "mcp: s",
      hint: "<who> [how]",
    });
    const frames = await rig.worker.prompt('/mcp__s__greet "Ada L." very warmly');
    expect(dig(only(frames, "user_message")[0], "content", 0, "text")).toBe("Greet Ada L. very warmly.");
    expect(await rig.worker.ask({ type: "run_command", name: "mcp__s__greet" })).toMatchObject({
      success: false,
      error: "the prompt greet needs <who> [how]; who is missing",
    });
  });

  it("[M17] /mcp shows who there is and how they are", async () => {
    await using rig = await startMcpRig({
      own: { absent: { command: "no-such-program-here" }, s: stdioServer() },
    });
    await ready(rig, "s");
    await rig.worker.prompt("/mcp");
    const [shown] = only(rig.worker.frames, "ext_display");
    expect(shown?.["text"]).toMatch(
      /\*\*absent\*\* \(.*mcp\.json\): down: the program "no-such-program-here" was not found/,
    );
    expect(shown?.["text"]).toMatch(/\*\*s\*\* \(.*mcp\.json\): ready, \d+ tools, log .*mcp-s\.log/);
    expect(rig.model.requests).toEqual([]);
  });

  const answering = async (rig: Rig, answers: readonly Record<string, unknown>[]): Promise<string> => {
    rig.model.reply({ toolCalls: [{ name: "mcp__s__ask", args: {} }] }, { text: "ok" });
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "prompt", message: "ask me" });
    for (const answer of answers) {
      const question = await rig.worker.next("extension_ui_request");
      expect(String(question["title"])).toMatch(/^s: /);
      rig.worker.send({ type: "extension_ui_response", id: String(question["id"]), ...answer });
    }
    const frames = await rig.worker.turn(from);
    return String(dig(only(frames, "tool_result")[0], "content", 0, "text"));
  };

  it("[M16] a server's question is put field by field; what is no number is asked for again", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const text = await answering(rig, [
      { value: "Basel" },
      { value: "Large" },
      { value: "a few" },
      { value: "3" },
      { confirmed: true },
    ]);
    expect(JSON.parse(text)).toEqual({
      action: "accept",
      content: { city: "Basel", size: "l", count: 3, urgent: true },
    });
  });

  it("[M16] closing one of them cancels the whole", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const text = await answering(rig, [{ value: "Basel" }, { cancelled: true }]);
    expect(JSON.parse(text)).toEqual({ action: "cancel" });
  });
});
