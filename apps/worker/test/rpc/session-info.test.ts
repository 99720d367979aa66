// The session as a whole: its numbers, its name, its files. Titles quote the lines of seeds/omp-rpc.txt.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, runTool, startRig } from "../rig.ts";

const lastCall = ({ model }: Rig): string => JSON.stringify(model.requests.at(-1)?.body);

describe("the session as a whole", () => {
  it('[W98] { id?, type: "get_session_stats" } counts messages by kind, tool calls, tokens, cost and context', async () => {
    await using rig = await startRig();
    await runTool(rig, "bash", { command: "true" });
    await rig.worker.ask({ type: "bash", command: "true" });
    const stats = await rig.worker.ask({ type: "get_session_stats" });
    const usage = only(rig.worker.frames, "usage").at(-1);
    expect(stats).toMatchObject({
      success: true,
      data: {
        sessionId: expect.any(String),
        userMessages: 1,
        assistantMessages: 2,
        toolCalls: 1,
        toolResults: 1,
        totalMessages: 5,
        tokens: { input: dig(usage, "cumulative", "input"), output: dig(usage, "cumulative", "output") },
        cost: dig(usage, "cumulative", "cost_usd"),
        contextUsage: {
          tokens: expect.any(Number),
          contextWindow: expect.any(Number),
          percent: expect.any(Number),
        },
      },
    });
    const total =
      Number(dig(usage, "input")) + Number(dig(usage, "output")) + Number(dig(usage, "cache_read"));
    expect(dig(stats, "data", "contextUsage", "tokens")).toBe(total + Number(dig(usage, "cache_write")));
  });

  it('[W99] { id?, type: "get_last_assistant_text" } is the newest answer that has words', async () => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type: "get_last_assistant_text" })).toMatchObject({ data: { text: null } });
    rig.model.reply({ text: "the words" });
    await rig.worker.prompt("say something");
    expect(await rig.worker.ask({ type: "get_last_assistant_text" })).toMatchObject({
      data: { text: "the words" },
    });
  });

  it('[W100] { id?, type: "set_session_name", name: string } · Empty `set_session_name` is rejected (`Session name cannot be empty`).', async () => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type: "set_session_name", name: "  " })).toMatchObject({
      success: false,
      error: "Session name cannot be empty",
    });
    expect(await rig.worker.ask({ type: "set_session_name", name: "x".repeat(201) })).toMatchObject({
      success: false,
    });
    expect(await rig.worker.ask({ type: "set_session_name", name: " My work " })).toMatchObject({
      success: true,
    });
    expect(only(rig.worker.frames, "session_info_changed")).toEqual([
      { type: "session_info_changed", name: "My work" },
    ]);
  });

  it('[W102] { id?, type: "switch_session", sessionPath: string } loads what we export, and every prompt can be gone back to', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "from before" }, { text: "now" });
    await rig.worker.prompt("earlier");
    const messages = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages") as object[];
    writeFileSync(
      join(rig.directory, "kept.jsonl"),
      messages.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    await rig.worker.ask({ type: "new_session" });
    expect(await rig.worker.ask({ type: "switch_session", sessionPath: "kept.jsonl" })).toMatchObject({
      success: true,
      data: { cancelled: false },
    });
    expect(only(rig.worker.frames, "branched").at(-1)).toMatchObject({
      session_path: join(rig.directory, "kept.jsonl"),
    });
    await rig.worker.prompt("go on");
    expect(lastCall(rig)).toContain("from before");
    expect(dig(await rig.worker.ask({ type: "get_branch_messages" }), "data", "messages")).toMatchObject([
      { text: "earlier" },
      { text: "go on" },
    ]);
  });

  it("[W102] it reads zot's session files, whose blocks have no type, and ends at a torn last line", async () => {
    await using rig = await startRig();
    const lines = [
      { type: "meta", meta: { id: "z1", cwd: "/x", model: "m", provider: "p" } },
      {
        type: "message",
        message: { role: "user", content: [{ text: "list it" }], time: "2026-05-01T10:00:00Z" },
      },
      {
        type: "message",
        message: {
          role: "assistant",
          content: [{ text: "looking" }, { id: "t1", name: "bash", arguments: { command: "ls" } }],
          time: "2026-05-01T10:00:01Z",
        },
      },
      {
        type: "message",
        message: {
          role: "tool",
          content: [{ call_id: "t1", content: [{ text: "a.txt" }], is_error: false }],
        },
      },
      { type: "usage", usage: {}, cumulative: {} },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"type":"message","mess`;
    writeFileSync(join(rig.directory, "zot.jsonl"), text);
    expect(await rig.worker.ask({ type: "switch_session", sessionPath: "zot.jsonl" })).toMatchObject({
      success: true,
    });
    const loaded = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(loaded).toMatchObject([
      { role: "user", entry_id: expect.any(String), content: [{ type: "text", text: "list it" }] },
      { role: "assistant", content: [{ text: "looking" }, { type: "tool_call", args: { command: "ls" } }] },
      { role: "tool", content: [{ type: "tool_result", call_id: "t1", content: [{ text: "a.txt" }] }] },
    ]);
    await rig.worker.prompt("next");
    expect(lastCall(rig)).toContain("a.txt");
  });

  it("[W102] it reads pi's and omp's session files along the last line of their tree", async () => {
    await using rig = await startRig();
    const entry = (id: string, parentId: string | null, message: object): object => ({
      type: "message",
      id,
      parentId,
      timestamp: "2026-05-01T10:00:00Z",
      message,
    });
    const lines = [
      { type: "session", version: 3, id: "s", cwd: "/x" },
      entry("a", null, { role: "user", content: "question" }),
      entry("b", "a", { role: "assistant", content: [{ type: "text", text: "left behind" }] }),
      entry("c", "a", {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "toolCall", id: "t1", name: "read", arguments: { path: "x" } },
          { type: "toolCall", id: "t2", name: "read", arguments: { path: "y" } },
        ],
      }),
      { type: "model_change", id: "m", parentId: "c" },
      entry("d", "m", {
        role: "toolResult",
        toolCallId: "t1",
        content: [{ type: "text", text: "X" }],
        isError: false,
      }),
      entry("e", "d", {
        role: "toolResult",
        toolCallId: "t2",
        content: [{ type: "text", text: "Y" }],
        isError: true,
      }),
      entry("f", "e", { role: "bashExecution", command: "ls", output: "z", exitCode: 0 }),
    ];
    writeFileSync(join(rig.directory, "pi.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(await rig.worker.ask({ type: "switch_session", sessionPath: "pi.jsonl" })).toMatchObject({
      success: true,
    });
    const loaded = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(loaded).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "thinking" }, { type: "tool_call" }, { id: "t2" }] },
      { role: "tool", content: [{ call_id: "t1" }, { call_id: "t2", is_error: true }] },
      { role: "user", content: [{ text: expect.stringContaining("$ ls") }] },
    ]);
    await rig.worker.prompt("next");
    expect(lastCall(rig)).not.toContain("left behind");
  });

  it("[W103] a file that is missing, no file, no JSON, too strange or empty is refused, and nothing changes", async () => {
    await using rig = await startRig();
    await rig.worker.prompt("kept");
    const write = (name: string, text: string): string => {
      writeFileSync(join(rig.directory, name), text);
      return name;
    };
    const cases: [string, string][] = [
      ["nope.jsonl", "does not exist"],
      [rig.directory, "it is not a file"],
      [write("words.txt", "not json\nat all\n"), "line 1 is not JSON"],
      [write("list.jsonl", "[1,2]\n"), "line 1 is not an object"],
      [write("other.jsonl", '{"a":1}\n'), "line 1 is not a message"],
      [write("meta.jsonl", '{"type":"meta"}\n'), "has no messages"],
      [write("empty.jsonl", ""), "has no messages"],
    ];
    for (const [sessionPath, words] of cases) {
      const response = await rig.worker.ask({ type: "switch_session", sessionPath });
      expect(response).toMatchObject({ success: false, error: expect.stringContaining(words) });
    }
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { message_count: 2 } });
    expect(only(rig.worker.frames, "branched")).toEqual([]);
  });

  it('[W104] { id?, type: "export_html", outputPath?: string } writes one self-contained file', async () => {
    await using rig = await startRig();
    expect(await rig.worker.ask({ type: "export_html" })).toMatchObject({ success: false });
    await runTool(rig, "bash", { command: "echo '<script>x</script>'" });
    await rig.worker.ask({ type: "set_session_name", name: "To <keep>" });
    const made = await rig.worker.ask({ type: "export_html", outputPath: "out/page.html" });
    expect(made).toMatchObject({ success: true, data: { path: join(rig.directory, "out/page.html") } });
    const html = readFileSync(String(dig(made, "data", "path")), "utf8");
    expect(html).toContain("To &lt;keep&gt;");
    expect(html).toContain("&lt;script&gt;x");
    expect(html).not.toMatch(/<script|<link|src="(?!data:)|href=/);
    expect(dig(await rig.worker.ask({ type: "export_html" }), "data", "path")).toMatch(
      /patchbay-session-.*\.html$/,
    );
    const refused = await rig.worker.ask({ type: "export_html", outputPath: "out/page.html/below" });
    expect(refused).toMatchObject({ success: false, error: expect.stringContaining("could not be written") });
  });
});
