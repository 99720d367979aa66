// MCP servers that die, hang, flood, start late or never: each is said, and nothing waits for it.

import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startHttpMcp } from "@patchbay/testing/mcp-http";
import { gone, isAlive, memoryOf } from "@patchbay/testing/processes";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { only, runTool } from "../rig.ts";
import { mcpTools, ready, rudeServer, seen, startMcpRig, stdioServer } from "./mcp-rig.ts";

/** The file has these words; the test's own timeout is the limit. */
async function says(path: string, words: string): Promise<void> {
  await waitUntil(async () => (await readFile(path, "utf8").catch(() => "")) === words);
}

describe("MCP servers in trouble", () => {
  it("[M7] one that dies in a call: the call says so, and the next one starts it again", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const first = (await runTool(rig, "mcp__s__pid", {})).text;
    const died = await runTool(rig, "mcp__s__die", {});
    expect(died.isError).toBe(true);
    expect(died.text).toContain(
      `the MCP server "s" ended during the call: it exited with code 3. The next call starts it again; its log is ${join(rig.home, ".patchbay/logs/mcp-s.log")}`,
    );
    const second = await runTool(rig, "mcp__s__pid", {});
    expect(second.isError).toBe(false);
    expect(second.text).not.toBe(first);
  });

  it("[M7] one that does not come back is said with each call, and can still be asked", async () => {
    await using rig = await startMcpRig({
      own: ({ home }) => ({ s: stdioServer("--once", join(home, "once")) }),
    });
    await ready(rig, "s");
    await runTool(rig, "mcp__s__die", {});
    const call = await runTool(rig, "mcp__s__echo", { text: "x" });
    expect(call).toMatchObject({
      isError: true,
      text: 'the MCP server "s" cannot be started: it exited with code 7',
    });
  });

  it("[M7] one over HTTP that went away is reached again when it is back", async () => {
    const first = await startHttpMcp();
    await using rig = await startMcpRig({ own: { far: { url: first.url } } });
    await ready(rig, "far");
    expect(await runTool(rig, "mcp__far__echo", { text: "a" })).toMatchObject({ text: "a" });
    await first[Symbol.asyncDispose]();
    const lost = await runTool(rig, "mcp__far__echo", { text: "b" });
    expect(lost).toMatchObject({ isError: true });
    expect(lost.text).toContain('the MCP server "far" cannot be reached');
    await using _second = await startHttpMcp(first.port);
    expect(await runTool(rig, "mcp__far__echo", { text: "c" })).toMatchObject({ text: "c" });
  });

  it("[M8] an abort ends a call that is never answered, and the server is told", async () => {
    await using rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const file = join(rig.home, "hang");
    rig.model.reply({ toolCalls: [{ name: "mcp__s__hang", args: { file } }] });
    rig.worker.send({ type: "prompt", message: "hang" });
    await says(file, "called");
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn(0);
    expect(only(frames, "tool_result")[0]).toMatchObject({ is_error: true });
    await says(file, "cancelled");
    expect(await runTool(rig, "mcp__s__echo", { text: "still here" })).toMatchObject({ text: "still here" });
  });

  it("[M8] a call has its time, which the config sets", async () => {
    await using rig = await startMcpRig({ own: { s: { ...stdioServer(), timeout: 300 } } });
    await ready(rig, "s");
    const call = await runTool(rig, "mcp__s__hang", { file: join(rig.home, "hang") });
    expect(call).toMatchObject({ isError: true });
    expect(call.text).toMatch(/timed out/i);
  });

  it("[M9] a slow one does not hold up the first turn, and its tools join when it is ready", async () => {
    await using rig = await startMcpRig({
      own: ({ home }) => ({ quick: stdioServer(), slow: stdioServer("--after", join(home, "go")) }),
    });
    await rig.worker.prompt("hello");
    expect(mcpTools(rig)).not.toContain("mcp__slow__echo");
    await ready(rig, "quick");
    await writeFile(join(rig.home, "go"), "");
    await ready(rig, "slow");
    expect(await runTool(rig, "mcp__slow__echo", { text: "late" })).toMatchObject({ text: "late" });
  });

  it("[M10] one that cannot be started is told, and stops nobody", async () => {
    await using rig = await startMcpRig({
      own: { absent: { command: "no-such-program-here" }, s: stdioServer() },
    });
    await ready(rig, "s");
    const frames = await rig.worker.prompt("hello");
    expect(mcpTools(rig)).toContain("mcp__s__echo");
    const notices = only(rig.worker.frames, "ext_notify").map((frame) => String(frame["message"]));
    expect(notices).toEqual([
      expect.stringMatching(
        /the MCP server "absent" cannot be started: the program "no-such-program-here" was not found/,
      ),
    ]);
    expect(frames.at(-1)?.type).toBe("done");
  });

  it("[M11] floods: of messages, on stderr and in one endless line; each stays bounded", async () => {
    await using rig = await startMcpRig({
      own: { s: stdioServer(), endless: rudeServer("endless"), flood: rudeServer("flood") },
    });
    await ready(rig, "s");
    expect(await runTool(rig, "mcp__s__chatter", { count: 2_500 })).toMatchObject({ text: "said it all" });
    expect(await runTool(rig, "mcp__s__noise", {})).toMatchObject({ text: "was loud" });
    const logs = join(rig.home, ".patchbay/logs");
    for (const name of ["mcp-s.log", "mcp-s.log.1"]) {
      expect((await stat(join(logs, name))).size).toBeLessThan(2 * 1024 * 1024);
    }
    const [told] = await seen(rig, "ext_notify");
    expect(told?.["message"]).toContain(
      'the MCP server "endless" cannot be started: it wrote a line longer than 16777216 bytes',
    );
    expect(await rig.worker.ask({ type: "ping" })).toMatchObject({ success: true });
    if (process.platform === "linux") expect(memoryOf(rig.worker.pid).now).toBeLessThan(300 * 1024 * 1024);
  });

  it("[M12] all end with the worker: what they started, and one that ignores everything", async () => {
    const rig = await startMcpRig({ own: { s: stdioServer(), silent: rudeServer("silent") } });
    await ready(rig, "s");
    const pids = [
      Number((await runTool(rig, "mcp__s__pid", {})).text),
      Number((await runTool(rig, "mcp__s__family", {})).text),
    ];
    expect(pids.every(isAlive)).toBe(true);
    const { pid } = rig.worker;
    const silent = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8"))
      .trim()
      .split(" ")
      .map(Number);
    expect(silent.length).toBeGreaterThanOrEqual(2);
    await rig[Symbol.asyncDispose]();
    for (const child of [...pids, ...silent]) await gone(child);
  });

  it("[M12] they also end when the worker is killed and says goodbye to nobody", async () => {
    const rig = await startMcpRig({ own: { s: stdioServer() } });
    await ready(rig, "s");
    const pid = Number((await runTool(rig, "mcp__s__pid", {})).text);
    rig.worker.kill("SIGKILL");
    await gone(pid);
    await rig[Symbol.asyncDispose]();
  });
});
