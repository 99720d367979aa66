// What pi and omp are sent and what becomes of their answers, line by line.
import { describe, expect, it, vi } from "vitest";
import { idleState, openSides } from "./pi-sides.ts";

describe("turns", () => {
  const begin = (sides: ReturnType<typeof openSides>, message = "hi") => {
    sides.translation.toWorker({ type: "prompt", id: "p", message });
    sides.answer("prompt");
    sides.write({ type: "agent_start" });
  };

  it.each(["pi", "omp"] as const)(
    "[O3] %s is told to stop when its agent has started, not before",
    (name) => {
      using sides = openSides(name);
      sides.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
      sides.translation.toWorker({ type: "abort", id: "a" });
      sides.answer("prompt");
      expect(sides.asked("abort")).toBeUndefined();
      sides.write({ type: "agent_start" });
      expect(sides.asked("abort")).toBeDefined();
      // 1.5 calls what was aborted in a tool an error.
      sides.write({ type: "message_end", message: { role: "assistant", content: [], stopReason: "error" } });
      sides.write({ type: "agent_end" }, { type: "agent_settled", aborted: true });
      sides.answer("abort");
      expect(sides.of("turn_end")).toMatchObject([{ stop: "aborted" }]);
      expect(sides.of("error")).toEqual([]);
      expect(sides.of("done")).toHaveLength(1);
    },
  );

  it("[O3] omp is told at once while it compacts before its agent starts, which then never does", () => {
    vi.useFakeTimers();
    try {
      using sides = openSides("omp");
      sides.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
      sides.answer("prompt");
      sides.translation.toWorker({ type: "abort", id: "a" });
      sides.write({ type: "auto_compaction_start", reason: "threshold" });
      expect(sides.asked("abort")).toBeDefined();
      sides.write({ type: "auto_compaction_end", aborted: true });
      sides.answer("abort");
      for (const _twice of [1, 2]) {
        expect(sides.of("done")).toEqual([]);
        vi.advanceTimersByTime(1_000);
        sides.answer("get_state", idleState);
      }
      expect(sides.of("turn_end")).toMatchObject([{ stop: "aborted" }]);
      expect(sides.of("done")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("[O4] a prompt waits here while the program is at work, also with what nobody asked for", () => {
    using sides = openSides("omp");
    sides.write({ type: "agent_start" });
    sides.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
    expect(sides.asked("prompt")).toBeUndefined();
    sides.write({ type: "agent_end", isTerminal: true }, { type: "session_settled" });
    expect(sides.asked("prompt")).toMatchObject({ message: "hi" });
  });

  it("[O4] a refusal is the answer; omp's second answer, which fails, is the end", () => {
    using sides = openSides("omp");
    sides.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
    sides.refuse("prompt", "no model");
    expect(sides.response("p")).toMatchObject({ success: false, error: "no model" });
    expect(sides.of("user_message")).toEqual([]);
    sides.translation.toWorker({ type: "prompt", id: "q", message: "hi" });
    sides.answer("prompt");
    sides.refuse("prompt", "already processing");
    expect(sides.of("error")).toMatchObject([{ message: "already processing" }]);
    expect(sides.of("done")).toHaveLength(1);
  });

  it.each(["pi", "omp"] as const)(
    "[O15] %s: steering is shown while it waits, and becomes a message with its key",
    (program) => {
      using sides = openSides(program);
      begin(sides);
      sides.write({ type: "message_end", message: { role: "user", content: "hi" } });
      const images = [{ mime_type: "image/png", data: "AA==" }];
      sides.translation.toWorker({
        type: "steer",
        id: "s",
        message: "left",
        images,
        key: "k",
        ifRunning: true,
      });
      expect(sides.asked("steer")).toMatchObject({
        images: [{ type: "image", mimeType: "image/png", data: "AA==" }],
      });
      sides.write({ type: "queue_update", steering: ["left"], followUp: [] });
      sides.answer("steer");
      expect(sides.of("queue_update")).toMatchObject([{ steering: ["left"], follow_up: [] }]);
      sides.write({
        type: "message_end",
        message: { role: "user", content: [{ type: "text", text: "left" }] },
      });
      expect(sides.of("queue_update").at(-1)).toMatchObject({ steering: [] });
      expect(sides.of("user_message")).toMatchObject([
        { content: [{ text: "hi" }] },
        { content: [{ text: "left" }], key: "k", steering: true },
      ]);
    },
  );

  it("[O21] a turn whose end is never told is found to be over; one that waits for a retry or a person is not", () => {
    vi.useFakeTimers();
    try {
      using sides = openSides("omp");
      begin(sides);
      vi.advanceTimersByTime(11_000);
      sides.answer("get_state", { ...idleState, isStreaming: true });
      vi.advanceTimersByTime(11_000);
      sides.answer("get_state", { ...idleState, isSettled: false });
      sides.write({
        type: "auto_retry_start",
        attempt: 1,
        maxAttempts: 3,
        delayMs: 60_000,
        errorMessage: "429",
      });
      vi.advanceTimersByTime(11_000);
      sides.answer("get_state", idleState);
      sides.write({ type: "auto_retry_end", success: true, attempt: 1 });
      sides.write({ type: "extension_ui_request", id: "q", method: "confirm", title: "Sure?" });
      vi.advanceTimersByTime(11_000);
      sides.answer("get_state", idleState);
      expect(sides.of("done")).toEqual([]);
      sides.translation.toWorker({ type: "extension_ui_response", id: "q", confirmed: true });
      vi.advanceTimersByTime(11_000);
      sides.answer("get_state", idleState);
      expect(sides.of("done")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("[O15] steering when nothing runs is refused where the server wants that, else a prompt: pi would keep it", () => {
    using sides = openSides("pi");
    sides.translation.toWorker({ type: "steer", id: "s", message: "now", ifRunning: true });
    expect(sides.response("s")).toMatchObject({ success: false, error: "The turn is over." });
    sides.translation.toWorker({ type: "steer", id: "t", message: "now" });
    expect(sides.sent).toMatchObject([{ type: "prompt", message: "now" }]);
  });

  it("[O16] a person's command is told as it runs, and answered", () => {
    using sides = openSides("pi");
    sides.translation.toWorker({ type: "bash", id: "b", command: "seq 2" });
    const id = sides.asked("bash")?.["id"];
    sides.write({ type: "bash_execution_update", id, delta: "1\n" });
    sides.answer("bash", { output: "1\n2\n", exitCode: 0, cancelled: false, truncated: false });
    expect(sides.said.map(({ type }) => type)).toEqual(["bash_start", "bash_output", "bash_end", "response"]);
    expect(sides.of("bash_end")).toMatchObject([{ id, command: "seq 2", output: "1\n2\n", exit_code: 0 }]);
  });

  it("[O17] going back to a prompt forks the program's session, and both ways on can be walked", () => {
    using sides = openSides("pi");
    for (const message of ["first", "/command", "second"]) {
      begin(sides, message);
      sides.write({ type: "agent_end" }, { type: "agent_settled" });
    }
    const entryId = sides.of("user_message")[2]?.["entry_id"];
    sides.translation.toWorker({ type: "branch", id: "b", entryId });
    sides.answer("get_fork_messages", {
      messages: ["first", "second"].map((text, at) => ({ entryId: `e${at}`, text })),
    });
    sides.answer("get_state", { ...idleState, sessionFile: "/old.jsonl" });
    expect(sides.asked("fork")).toMatchObject({ entryId: "e1" });
    sides.answer("fork", { text: "second", cancelled: false });
    expect(sides.response("b")?.["data"]).toMatchObject({ text: "second" });
    const [branched] = sides.of("branched");
    expect(branched).toMatchObject({ entry_id: entryId });
    sides.translation.toWorker({ type: "switch_branch", id: "w", branch: branched?.["from"] });
    sides.answer("get_state", { ...idleState, sessionFile: "/new.jsonl" });
    expect(sides.asked("switch_session")).toMatchObject({ sessionPath: "/old.jsonl" });
    sides.answer("switch_session", { cancelled: false });
    expect(sides.of("branch_switched")).toMatchObject([
      { branch: branched?.["from"], from: branched?.["branch"] },
    ]);
    sides.translation.toWorker({ type: "branch", id: "n", entryId: "unheard-of" });
    expect(sides.response("n")).toMatchObject({
      success: false,
      error: expect.stringContaining("earlier worker"),
    });
  });

  it("[O17] another session is told anew, from the start", () => {
    using sides = openSides("pi");
    sides.translation.toWorker({ type: "new_session", id: "b" });
    sides.answer("new_session", { cancelled: false });
    sides.answer("get_messages", {
      messages: [
        { role: "user", content: "first" },
        { role: "assistant", content: [{ type: "toolCall", id: "t", name: "bash", arguments: {} }] },
        { role: "toolResult", toolCallId: "t", content: [{ type: "text", text: "ok" }], isError: false },
      ],
    });
    const told = [
      "cleared",
      "user_message",
      "turn_start",
      "assistant_message",
      "turn_end",
      "tool_result",
      "done",
    ];
    expect(sides.said.slice(1).map(({ type }) => type)).toEqual(told);
  });

  it("[O18] unknown frames pass when they mean nothing to us, and never when they would", () => {
    using sides = openSides("omp");
    begin(sides);
    const before = sides.said.length;
    sides.write(
      { type: "todo_reminder", todos: [1] },
      { type: "usage", input: 1e9, output: 0, cache_read: 0, cache_write: 0, cost_usd: 1e6 },
      { type: "done" },
      { type: "cleared", time: "now" },
      { type: "something_huge", text: "x".repeat(100_000) },
      { type: "message_end", message: 7 },
      { type: "message_update", assistantMessageEvent: { type: "sound_delta", delta: "la" } },
      { type: "auto_retry_start", attempt: "many", finalError: 9 },
    );
    expect(sides.said.slice(before).map(({ type }) => type)).toEqual(["todo_reminder", "auto_retry_start"]);
    sides.write({ type: "agent_end", isTerminal: true }, { type: "session_settled" });
    expect(sides.of("done")).toHaveLength(1);
  });
});
