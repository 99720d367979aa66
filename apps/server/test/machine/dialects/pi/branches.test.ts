// Branches that an earlier worker of pi or omp has left: each is a file, which the log names.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyTranscript, foldTranscript, readFrameValue, type Transcript } from "@patchbay/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { idleState, openHarness } from "./harness.ts";

describe("branches of an earlier worker", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-branches-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fold = (frames: readonly unknown[]): Transcript =>
    frames.reduce<Transcript>((transcript, frame) => {
      const reading = readFrameValue(frame);
      return reading.kind === "frame" ? foldTranscript(transcript, reading.frame) : transcript;
    }, emptyTranscript);
  const userMessage = (text: string) => ({
    type: "user_message",
    content: [{ type: "text", text }],
    time: "2026-11-16T00:00:00Z",
    entry_id: text,
  });
  const end = { type: "done" };
  const wentBack = (entry_id: string, from: string, branch: string, file: string) => ({
    type: "branched",
    branch,
    from,
    entry_id,
    from_agent_session: join(folder, file),
    time: "2026-11-16T00:00:00Z",
  });

  it("[O23] are switched to by their files, with the prompts they had, whatever lies between them", () => {
    for (const file of ["main", "second"]) writeFileSync(join(folder, file), "");
    const transcript = fold([
      ...[userMessage("a"), end, userMessage("b"), end],
      wentBack("b", "main", "two", "main"),
      ...[userMessage("c"), end],
      wentBack("a", "two", "three", "second"),
      ...[userMessage("d"), end],
    ]);
    using harness = openHarness("pi");
    const { messages, branches, branch } = transcript;
    harness.translation.toWorker({ type: "restore", id: "r1", messages, branches: [], more: true });
    for (const [index, part] of branches.entries())
      harness.translation.toWorker({
        type: "restore",
        id: `r${index + 2}`,
        messages: [],
        branches: [part],
        ...(index === branches.length - 1 ? { branch } : { more: true }),
      });
    expect(harness.of("response").map(({ success }) => success)).toEqual([true, true, true, true]);

    harness.translation.toWorker({ type: "switch_branch", id: "w", branch: "main" });
    harness.answer("get_state", { ...idleState, sessionFile: join(folder, "third") });
    expect(harness.lastSent("switch_session")).toMatchObject({ sessionPath: join(folder, "main") });
    harness.answer("switch_session", { cancelled: false });
    const [walked] = harness.of("branch_switched");
    expect(walked).toMatchObject({
      branch: "main",
      from: "three",
      from_agent_session: join(folder, "third"),
    });

    // Its prompts are known again: the second of two can be branched from.
    harness.translation.toWorker({ type: "branch", id: "b", entryId: "b" });
    harness.answer("get_fork_messages", {
      messages: ["a", "b"].map((text) => ({ entryId: `its ${text}`, text })),
    });
    harness.answer("get_state", { ...idleState, sessionFile: join(folder, "main") });
    expect(harness.lastSent("fork")).toMatchObject({ entryId: "its b" });
  });

  it("[O23] are refused when their file is gone: the program would begin an empty one", () => {
    const transcript = fold([
      userMessage("a"),
      end,
      wentBack("a", "main", "two", "gone"),
      userMessage("b"),
      end,
    ]);
    const { messages, branches, branch } = transcript;
    expect(branches.find(({ id }) => id === "main")).toMatchObject({ agent_session: join(folder, "gone") });
    using harness = openHarness("omp");
    harness.translation.toWorker({ type: "restore", id: "r", messages, branches, branch });
    harness.translation.toWorker({ type: "switch_branch", id: "w", branch: "main" });
    expect(harness.response("w")).toMatchObject({
      success: false,
      error: expect.stringContaining("this branch"),
    });
    expect(harness.sent).toEqual([]);
  });

  it("[O17] are gone after a clear: the next prompt is on the first branch again", () => {
    const { messages, branches, branch } = fold([
      userMessage("a"),
      end,
      wentBack("a", "main", "two", "main"),
    ]);
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "restore", id: "r", messages, branches, branch });
    harness.translation.toWorker({ type: "clear", id: "c" });
    harness.answer("new_session", { cancelled: false });
    harness.translation.toWorker({ type: "prompt", id: "p", message: "b" });
    harness.answer("prompt");
    harness.write({ type: "agent_start" }, { type: "agent_end" }, { type: "agent_settled" });
    const [prompt] = harness.of("user_message");
    harness.translation.toWorker({ type: "branch", id: "b", entryId: prompt?.["entry_id"] });
    harness.answer("get_fork_messages", { messages: [{ entryId: "its b", text: "b" }] });
    harness.answer("get_state", { ...idleState, sessionFile: join(folder, "other") });
    harness.answer("fork", { text: "b", cancelled: false });
    expect(harness.of("branched")).toMatchObject([{ from: "main" }]);
  });

  it("[O23] keep their files when others are switched to", () => {
    const walk = (branch: string, from: string, file: string) => ({
      type: "branch_switched",
      branch,
      from,
      from_agent_session: file,
      time: "2026-11-16T00:00:00Z",
    });
    const { branches } = fold([
      ...[userMessage("a"), end, userMessage("b"), end],
      wentBack("b", "main", "two", "main"),
      ...[userMessage("c"), end],
      wentBack("a", "two", "three", "second"),
      ...[userMessage("d"), end],
      walk("main", "three", "third"),
      walk("two", "main", "main"),
      walk("three", "two", "second"),
    ]);
    expect(branches.map(({ id, agent_session }) => [id, agent_session?.split("/").at(-1)])).toEqual([
      ["main", "main"],
      ["two", "second"],
      ["three", "third"],
    ]);
  });
});
