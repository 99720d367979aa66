// Long answers and long lives: nothing is lost, and memory stays where it is.
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { dig, only, shape, startRig } from "../rig.ts";

async function residentBytes(pid: number): Promise<number> {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) * 1024;
}

describe("endurance", () => {
  it("[W85] an answer of 1 MB arrives whole", async () => {
    await using rig = await startRig();
    const pieces = Array.from({ length: 1024 }, (_, index) => `${index} `.padEnd(1024, "heron "));
    rig.model.reply({ text: pieces });
    const frames = await rig.worker.prompt("go on");
    expect(dig(only(frames, "assistant_message")[0], "content", 0, "text")).toBe(pieces.join(""));
    expect(
      only(frames, "text_delta")
        .map((frame) => frame["delta"])
        .join(""),
    ).toBe(pieces.join(""));
  });

  it("[W86] memory is steady over 500 turns with tools, retries and compactions", async () => {
    await using rig = await startRig({
      args: ["--model", "claude-haiku-4-5"],
      // A small heap, so that what grows is what is kept, and not garbage that nobody has collected yet.
      env: { NODE_OPTIONS: "--max-old-space-size=40 --max-semi-space-size=2" },
    });
    let calls = 0;
    rig.model.defaultReply = (call) => {
      calls++;
      if (call.tools.length === 0) return { text: "## Goal\nherons" };
      if (call.toolResults.length > 0) return { text: "seen", usage: { input: 1_000 } };
      if (calls % 97 === 0) return { text: ["half ", "an answer"], cutAfterChunks: 1 };
      // Every 25th call fills the window, so the conversation is compacted before the next.
      if (calls % 25 === 0) return { text: "full", usage: { input: 190_000 } };
      if (calls % 10 === 0) return { toolCalls: [{ name: "read", args: { path: "." } }] };
      return { text: ["heron ".repeat(50)], usage: { input: 1_000 } };
    };
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn++) {
        const frames = await rig.worker.prompt(`turn ${turn}`);
        expect(shape(frames).at(-2)).toBe("turn_end(end)");
      }
    };
    await turns(200);
    const before = await residentBytes(rig.worker.pid);
    await turns(300);
    const after = await residentBytes(rig.worker.pid);
    expect(only(rig.worker.frames, "auto_compaction_end").length).toBeGreaterThan(5);
    expect(only(rig.worker.frames, "auto_retry_end").length).toBeGreaterThan(2);
    expect(after - before).toBeLessThan(24 * 1024 * 1024);
  }, 120_000);
});
