// Approvals: who is asked about what, what an answer does, and that no question outlives its turn.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyFrame } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, runTool, startRig } from "../rig.ts";

const isQuestion = (frame: AnyFrame): boolean =>
  frame.type === "extension_ui_request" && frame["method"] === "select";

/** Lets the model make calls, and gives back the first question. */
async function ask(
  { model, worker }: Rig,
  ...toolCalls: { name: string; args: unknown }[]
): Promise<AnyFrame> {
  model.reply({ toolCalls }, { text: "ok" });
  worker.send({ type: "prompt", message: "go" });
  return worker.next(isQuestion);
}

const answer = ({ worker }: Rig, question: AnyFrame, given: object): void =>
  worker.writeRaw(`${JSON.stringify({ type: "extension_ui_response", id: question["id"], ...given })}\n`);

/** 0 allows, 1 denies. */
const option = (question: AnyFrame, index: number): string =>
  String(dig(question, "options", index, "value"));
const bash = (command: string) => ({ name: "bash", args: { command } });

describe("approvals", () => {
  it("[W130] full asks nobody; ask does not ask about reading", async () => {
    await using rig = await startRig();
    expect((await runTool(rig, "bash", { command: "echo free" })).text).toContain("free");
    await rig.worker.ask({ type: "set_approval_mode", mode: "ask" });
    writeFileSync(join(rig.directory, "a.txt"), "needle");
    expect((await runTool(rig, "read", { path: "a.txt" })).text).toBe("needle");
    expect((await runTool(rig, "grep", { pattern: "needle" })).text).toContain("a.txt:1:");
    expect((await runTool(rig, "ls", {})).text).toBe("a.txt");
    expect(rig.worker.frames.some(isQuestion)).toBe(false);
  });

  it("[W130] auto-edit lets files be edited, and asks about the shell", async () => {
    await using rig = await startRig({ args: ["--approvals", "auto-edit"] });
    expect((await runTool(rig, "write", { path: "a.txt", content: "x" })).isError).toBe(false);
    const question = await ask(rig, bash("echo hi"));
    expect(question).toMatchObject({ title: "Run this command?", message: "echo hi", tool: "bash" });
    answer(rig, question, { value: option(question, 0) });
    expect(JSON.stringify(only(await rig.worker.turn(), "tool_result"))).toContain("hi");
  });

  it("[W131] the question shows what would change; allowed once, the next call asks again", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const file = join(rig.directory, "a.txt");
    writeFileSync(file, "one\ntwo\n");
    const edit = { name: "edit", args: { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] } };
    const question = await ask(rig, edit);
    expect(question).toMatchObject({
      method: "select",
      title: "Edit a.txt?",
      tool: "edit",
      args: { path: "a.txt" },
      diff: expect.stringContaining("\n-two\n+2\n"),
      options: [
        { label: "Allow once", value: "Allow once", kind: "allow_once" },
        { label: "Deny", value: "Deny", kind: "reject_once" },
      ],
    });
    expect(question).not.toHaveProperty("timeout");
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
    answer(rig, question, { value: option(question, 0) });
    await rig.worker.turn();
    expect(readFileSync(file, "utf8")).toBe("one\n2\n");
    const again = await ask(rig, { name: "write", args: { path: "b.txt", content: "x\n" } });
    expect(again).toMatchObject({ title: "Create b.txt?", diff: expect.stringContaining("+x") });
    answer(rig, again, { value: option(again, 1) });
    await rig.worker.turn();
    expect(existsSync(join(rig.directory, "b.txt"))).toBe(false);
  });

  it("[W241] the question shows the whole call, and a call that is too large to be shown is refused unasked", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const command = `echo ${"a".repeat(100_000)}; touch made`;
    const question = await ask(rig, bash(command));
    expect(question).toMatchObject({ args: { command } });
    expect(String(question["message"]).length).toBeLessThan(1_100);
    answer(rig, question, { value: option(question, 1) });
    await rig.worker.turn();
    const refused = await runTool(rig, "bash", { command: `echo ${"a".repeat(300_000)}` });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("too large to be shown") });
    expect(rig.worker.frames.filter(isQuestion)).toHaveLength(1);
  });

  it("[W132] [W240] a denial is the result, with the person's reason, and the turn goes on", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const question = await ask(rig, bash("touch made"));
    answer(rig, question, { value: option(question, 1), reason: "use the Makefile" });
    const frames = await rig.worker.turn();
    expect(only(frames, "tool_result")).toMatchObject([
      {
        is_error: true,
        content: [{ text: "The user denied this. Reason: use the Makefile" }],
        details: { denied: true },
        duration_ms: 0,
      },
    ]);
    expect(only(frames, "turn_end").at(-1)).toMatchObject({ stop: "end" });
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain("use the Makefile");
    const second = await ask(rig, bash("touch made"));
    answer(rig, second, { cancelled: true });
    expect(JSON.stringify(only(await rig.worker.turn(), "tool_result"))).toContain("gave no reason");
    expect(existsSync(join(rig.directory, "made"))).toBe(false);
    const third = await ask(rig, bash("true"));
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // a person who thinks
    answer(rig, third, { value: option(third, 0) });
    const [ran] = only(await rig.worker.turn(), "tool_result");
    expect(ran?.["duration_ms"]).toBeLessThan(1_400);
  });

  it("[W133] what could not be done anyway fails without a question", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const edits = [{ oldText: "a", newText: "b" }];
    expect((await runTool(rig, "edit", { path: "none.txt", edits })).text).toContain("does not exist");
    expect((await runTool(rig, "bash", { command: 7 })).text).toContain("bad arguments for bash");
    expect(rig.worker.frames.some(isQuestion)).toBe(false);
  });

  it("[W134] one question at a time; an abort withdraws it, and nothing runs", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const question = await ask(rig, bash("touch one"), bash("touch two"));
    await rig.worker.ask({ type: "abort" });
    const frames = await rig.worker.turn();
    expect(only(frames, "tool_result")).toHaveLength(2);
    expect(rig.worker.frames.filter(isQuestion)).toHaveLength(1);
    expect(rig.worker.frames).toContainEqual(
      expect.objectContaining({ method: "cancel", targetId: question["id"] }),
    );
    answer(rig, question, { value: option(question, 0) }); // too late: nobody waits for it
    expect(await rig.worker.ask({ type: "ping" })).toMatchObject({ success: true });
    expect(["one", "two"].map((name) => existsSync(join(rig.directory, name)))).toEqual([false, false]);
  });

  it("[W134] choosing a mode that needs no question answers the open one", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const question = await ask(rig, bash("echo went on"));
    expect(await rig.worker.ask({ type: "set_approval_mode", mode: "full" })).toMatchObject({
      data: { mode: "full" },
    });
    expect(JSON.stringify(only(await rig.worker.turn(), "tool_result"))).toContain("went on");
    expect(rig.worker.frames).toContainEqual(
      expect.objectContaining({ method: "cancel", targetId: question["id"] }),
    );
    expect(await rig.worker.ask({ type: "set_approval_mode", mode: "never" })).toMatchObject({
      success: false,
    });
  });
});
