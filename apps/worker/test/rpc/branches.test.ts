// Branches as a program sees them on stdin and stdout. Titles quote the lines of seeds/omp-rpc.txt they hold us to.
import { emptyTranscript, foldTranscript, readFrameValue, type Transcript } from "@patchbay/protocol";
import { lastMessages } from "@patchbay/testing/fake-model";
import { startWorker } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, startRig } from "../rig.ts";

const entries = async ({ worker }: Rig): Promise<{ entryId: string; text: string }[]> => {
  const response = await worker.ask({ type: "get_branch_messages" });
  return dig(response, "data", "messages") as { entryId: string; text: string }[];
};

const entryOf = async (rig: Rig, text: string): Promise<string> =>
  (await entries(rig)).find((entry) => entry.text === text)?.entryId ?? "absent";

const lastCall = ({ model }: Rig): string => lastMessages(model);

const foldOf = ({ worker }: Rig): Transcript =>
  worker.frames.reduce((transcript, frame) => {
    const reading = readFrameValue(frame);
    return reading.kind === "frame" ? foldTranscript(transcript, reading.frame) : transcript;
  }, emptyTranscript);

describe("branches", () => {
  it('[W90] { id?, type: "get_branch_messages" } lists every prompt of the branch by its entry id', async () => {
    await using rig = await startRig();
    const frames = await rig.worker.prompt("one");
    await rig.worker.prompt("two");
    const listed = await entries(rig);
    expect(listed.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(only(frames, "user_message")).toMatchObject([{ entry_id: listed[0]?.entryId }]);
    const messages = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(dig(messages, 2, "entry_id")).toBe(listed[1]?.entryId);
  });

  it('[W91] { id?, type: "branch", entryId: string } goes back to before the prompt and gives its words back', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "first answer" }, { text: "second answer" }, { text: "other answer" });
    await rig.worker.prompt("one");
    await rig.worker.prompt("two");
    const response = await rig.worker.ask({ type: "branch", entryId: await entryOf(rig, "two") });
    expect(response).toMatchObject({ success: true, data: { text: "two", cancelled: false } });
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({ data: { message_count: 2 } });
    const spent = dig(await rig.worker.ask({ type: "get_state" }), "data", "usage");
    await rig.worker.prompt("deux");
    expect(lastCall(rig)).toContain("first answer");
    expect(lastCall(rig)).not.toContain("second answer");
    expect(Number(dig(spent, "input"))).toBeGreaterThan(0);
    // What a viewer folds from the frames is what the worker remembers.
    const told = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    expect(foldOf(rig).messages).toEqual(told);
  });

  it("[W92] get_branches and switch_branch walk the tree, and the model sees the branch that is shown", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "a1" }, { text: "a2" }, { text: "b2" }, { text: "a3" });
    await rig.worker.prompt("one");
    await rig.worker.prompt("two");
    await rig.worker.ask({ type: "branch", entryId: await entryOf(rig, "two") });
    await rig.worker.prompt("deux");
    const tree = dig(await rig.worker.ask({ type: "get_branches" }), "data");
    expect(tree).toMatchObject({
      branches: [
        { branch: "main", parts_at: 2, message_count: 4, text: "two" },
        { message_count: 4, text: "one" },
      ],
      points: [{ at: 2, chosen: 1, branches: ["main", dig(tree, "branch")] }],
    });
    const home = await rig.worker.ask({ type: "switch_branch", branch: "main" });
    expect(home).toMatchObject({ success: true, data: { branch: "main", message_count: 4 } });
    await rig.worker.prompt("three");
    expect(lastCall(rig)).toContain("a2");
    expect(lastCall(rig)).not.toContain("b2");
    const again = await rig.worker.ask({ type: "switch_branch", branch: String(dig(tree, "branch")) });
    expect(again).toMatchObject({ data: { message_count: 4 } });
    expect(foldOf(rig).branches).toHaveLength(2);
    expect(foldOf(rig).messages).toEqual(
      dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages"),
    );
  });

  it("[W92] going back beyond a compaction gives the model the whole words again", async () => {
    await using rig = await startRig();
    for (const prompt of ["one", "two", "three"]) await rig.worker.prompt(prompt);
    rig.model.reply({ text: "## Goal\nsummed up" });
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "compact" });
    await rig.worker.turn(from);
    await rig.worker.ask({ type: "branch", entryId: await entryOf(rig, "two") });
    await rig.worker.prompt("again");
    expect(lastCall(rig)).toContain('"one"');
    expect(lastCall(rig)).not.toContain("summed up");
    await rig.worker.ask({ type: "switch_branch", branch: "main" });
    await rig.worker.prompt("on");
    expect(lastCall(rig)).toContain("summed up");
  });

  it("[W93] moving while a turn or a command runs, or to what is not there, is refused in words", async () => {
    await using rig = await startRig();
    await rig.worker.prompt("one");
    const entryId = await entryOf(rig, "one");
    rig.model.reply({ text: ["slow", "ly"], hangAfterChunks: 1 });
    const from = rig.worker.frames.length;
    rig.worker.send({ type: "prompt", message: "two" });
    await rig.worker.next("text_delta");
    const moves = [
      { type: "branch", entryId },
      { type: "switch_branch", branch: "main" },
      { type: "new_session" },
      { type: "clear" },
    ];
    for (const move of moves) {
      expect(await rig.worker.ask(move)).toMatchObject({
        success: false,
        error: expect.stringContaining("busy"),
      });
    }
    rig.worker.send({ type: "abort" });
    await rig.worker.turn(from);
    rig.worker.send({ type: "bash", command: "sleep 60" });
    await rig.worker.next("bash_start");
    for (const move of moves) {
      expect(await rig.worker.ask(move)).toMatchObject({
        success: false,
        error: expect.stringContaining("abort_bash"),
      });
    }
    await rig.worker.ask({ type: "abort_bash" });
    await rig.worker.next("bash_end");
    expect(await rig.worker.ask({ type: "branch", entryId: "no such" })).toMatchObject({
      success: false,
      error: expect.stringContaining("get_branch_messages"),
    });
    expect(await rig.worker.ask({ type: "switch_branch", branch: "no such" })).toMatchObject({
      success: false,
      error: expect.stringContaining("get_branches"),
    });
    expect(only(rig.worker.frames, "branched")).toEqual([]);
  });

  it('[W101] { id?, type: "new_session", parentSession?: string } starts afresh and keeps the old conversation', async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "old words" }, { text: "new words" });
    await rig.worker.prompt("before");
    expect(await rig.worker.ask({ type: "new_session", parentSession: "/tmp/older.jsonl" })).toMatchObject({
      success: true,
      data: { cancelled: false },
    });
    expect(only(rig.worker.frames, "branched")).toMatchObject([
      { from: "main", entry_id: null, session_path: "/tmp/older.jsonl" },
    ]);
    await rig.worker.prompt("after");
    expect(lastCall(rig)).not.toContain("old words");
    await rig.worker.ask({ type: "switch_branch", branch: "main" });
    expect((await entries(rig)).map(({ text }) => text)).toEqual(["before"]);
  });

  it("[W105] restore brings branches, name and cost back, in one command or in several", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "a1" }, { text: "a2" }, { text: "b2" }, { text: "a3" });
    await rig.worker.prompt("one");
    await rig.worker.prompt("two");
    await rig.worker.ask({ type: "branch", entryId: await entryOf(rig, "two") });
    await rig.worker.prompt("deux");
    const { messages, marks, branch, branches, usage, context_tokens } = foldOf(rig);
    const [main, shown] = branches;
    const end = { branch, usage, context_tokens, name: "Kept" };
    const whole = [{ messages, marks, branches, ...end }];
    const pieces = [
      { messages: messages.slice(0, 1), more: true },
      {
        messages: messages.slice(1),
        marks,
        branches: [{ ...main, messages: main?.messages.slice(0, 1) }],
        more: true,
      },
      { messages: [], branches: [{ ...main, messages: main?.messages.slice(1), marks: [] }, shown], ...end },
    ];
    for (const parts of [whole, pieces]) {
      await using worker = startWorker({
        args: ["--cwd", rig.directory],
        env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `${rig.model.baseUrl}/anthropic` },
      });
      for (const part of parts)
        expect(await worker.ask({ type: "restore", ...part })).toMatchObject({ success: true });
      const stats = await worker.ask({ type: "get_session_stats" });
      expect(stats).toMatchObject({ data: { userMessages: 2, cost: usage.cost_usd } });
      const home = await worker.ask({ type: "switch_branch", branch: "main" });
      expect(home).toMatchObject({ success: true, data: { message_count: 4 } });
      rig.model.reply({ text: "a3" });
      await worker.prompt("three");
      expect(lastCall(rig)).toContain("a2");
      expect(lastCall(rig)).not.toContain("b2");
    }
    await using torn = startWorker({ args: ["--cwd", rig.directory, "--provider", "demo"] });
    expect(
      await torn.ask({ type: "restore", messages, branches: [main], branch: "elsewhere" }),
    ).toMatchObject({
      success: false,
      error: expect.stringContaining("elsewhere"),
    });
  });
});
