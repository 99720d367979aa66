// Compaction: what is sent, what is kept, what it costs, and when there is nothing to do.
import { compactedHeading } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, shape, startRig } from "../rig.ts";

async function compact(rig: Rig, more: Record<string, unknown> = {}) {
  const from = rig.worker.frames.length;
  rig.worker.send({ type: "compact", ...more });
  return rig.worker.turn(from);
}

describe("compact", () => {
  it("[W27] summarises all but the last four messages; usage counts; compact_done, done", async () => {
    await using rig = await startRig();
    rig.model.reply(
      { text: "first answer", usage: { input: 100, output: 10 } },
      {
        toolCalls: [{ name: "bash", args: { command: "echo tool-says" } }],
        usage: { input: 100, output: 10 },
      },
      { text: "second answer", usage: { input: 100, output: 10 } },
      { text: "third answer", usage: { input: 100, output: 10 } },
      { text: "  ## Goal\nherons ", usage: { input: 2000, output: 300 } },
    );
    for (const prompt of ["first", "second", "third"]) await rig.worker.prompt(prompt);
    const frames = await compact(rig, { customInstructions: "mind the herons" });
    expect(shape(frames)).toEqual(["response", "usage", "compact_done", "done"]);
    expect(frames[0]).toMatchObject({ command: "compact", data: { started: true } });
    expect(frames[1]).toMatchObject({
      input: 2000,
      output: 300,
      cost_usd: 0.007,
      cumulative: { input: 2400, output: 340 },
    });
    expect(frames[2]).toMatchObject({ summary: "## Goal\nherons", kept: 4 });

    const call = rig.model.requests.at(-1);
    expect(call?.tools).toEqual([]);
    expect(call?.userText).toMatch(/^<conversation>\n--- user ---\nfirst\n\n--- assistant ---\nfirst answer/);
    for (const section of [
      "Goal",
      "Constraints & Preferences",
      "Progress",
      "Key Decisions",
      "Next Steps",
      "Critical Context",
    ]) {
      expect(call?.userText).toContain(`## ${section}`);
    }
    expect(call?.userText).toContain("mind the herons");
    expect(call?.userText).not.toContain("third answer");
    expect(dig(call?.body, "max_tokens")).toBe(4096);

    const messages = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(messages).toMatchObject([
      { role: "user", content: [{ text: `${compactedHeading}\n\n## Goal\nherons` }] },
      { role: "assistant", content: [{ text: "second answer" }] },
      { role: "user", content: [{ text: "third" }] },
      { role: "assistant", content: [{ text: "third answer" }] },
    ]);
    rig.model.reply({ text: "on we go" });
    expect(shape(await rig.worker.prompt("next"))).toContain("turn_end(end)");
  });

  it("[W28] an empty or short transcript is left alone, in zot's words", async () => {
    await using rig = await startRig();
    expect((await compact(rig)).slice(1)).toMatchObject([
      { type: "error", message: "nothing to compact" },
      { type: "done" },
    ]);
    await rig.worker.prompt("one");
    await rig.worker.prompt("two");
    expect(only(await compact(rig), "error")).toMatchObject([
      { message: "nothing to compact: keep-tail covers the whole transcript" },
    ]);
  });

  it("[W28] an empty summary or a failing provider is an error, and the transcript stays", async () => {
    await using rig = await startRig();
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    rig.model.reply({ text: " \n" });
    expect(only(await compact(rig), "error")).toMatchObject([{ message: "empty summary from model" }]);
    rig.model.reply({ status: 400 });
    expect(only(await compact(rig), "error")).toMatchObject([
      { message: expect.stringMatching(/^anthropic: http 400/) },
    ]);
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { message_count: 6 } });
  });

  it("[W27] compaction queues behind a prompt", async () => {
    await using rig = await startRig();
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    const from = rig.worker.frames.length;
    rig.model.reply({ text: "four" }, { text: "## Goal\nall" });
    rig.worker.send({ type: "prompt", message: "four" });
    rig.worker.send({ type: "compact" });
    await rig.worker.turn(from);
    expect(shape(await rig.worker.turn())).toEqual(["response", "usage", "compact_done", "done"]);
  });
});
