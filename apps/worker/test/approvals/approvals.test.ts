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

const option = (question: AnyFrame, index: number): string => String(dig(question, "options", index));
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
      args: edit.args,
      diff: expect.stringContaining("\n-two\n+2\n"),
      options: ["Allow once", "Always allow edit in this session", "Deny"],
    });
    expect(question).not.toHaveProperty("timeout");
    expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
    answer(rig, question, { value: option(question, 0) });
    await rig.worker.turn();
    expect(readFileSync(file, "utf8")).toBe("one\n2\n");
    const long = "x".repeat(200_000);
    const again = await ask(rig, { name: "write", args: { path: "b.txt", content: long } });
    expect(again).toMatchObject({ title: "Create b.txt?", diff: expect.stringContaining("+xxx") });
    expect(JSON.stringify(again).length).toBeLessThan(80_000);
    answer(rig, again, { value: option(again, 2) });
    await rig.worker.turn();
    expect(existsSync(join(rig.directory, "b.txt"))).toBe(false);
  });

  it("[W131] always: no call of that tool asks again, until a mode is chosen", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const question = await ask(rig, bash("echo 1"), bash("echo 2"));
    answer(rig, question, { value: option(question, 1) });
    expect(only(await rig.worker.turn(), "tool_result")).toHaveLength(2);
    expect((await runTool(rig, "bash", { command: "echo 3" })).text).toContain("3");
    expect(rig.worker.frames.filter(isQuestion)).toHaveLength(1);
    expect(rig.worker.frames.findLast((frame) => frame.type === "settings")).toMatchObject({
      approval_mode: "ask",
      always_allowed: ["bash"],
    });
    await rig.worker.ask({ type: "set_approval_mode", mode: "ask" });
    const next = await ask(rig, bash("echo 4"));
    answer(rig, next, { cancelled: true });
    await rig.worker.turn();
  });

  it("[W132] a denial is the result, with the person's reason, and the turn goes on", async () => {
    await using rig = await startRig({ args: ["--approvals", "ask"] });
    const question = await ask(rig, bash("touch made"));
    answer(rig, question, { value: option(question, 2), reason: "use the Makefile" });
    const frames = await rig.worker.turn();
    expect(only(frames, "tool_result")).toMatchObject([
      {
        is_error: true,
        content: [{ text: "The user denied this. Reason: use the Makefile" }],
      },
    ]);
    expect(only(frames, "turn_end").at(-1)).toMatchObject({ stop: "end" });
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain("use the Makefile");
    const second = await ask(rig, bash("touch made"));
    answer(rig, second, { cancelled: true });
    expect(JSON.stringify(only(await rig.worker.turn(), "tool_result"))).toContain("without a reason");
    expect(existsSync(join(rig.directory, "made"))).toBe(false);
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
