// What is sent to pi and omp, and what their lines become.
import { describe, expect, it, vi } from "vitest";
import { idleState, openHarness } from "./harness.ts";

describe("turns", () => {
  const begin = (harness: ReturnType<typeof openHarness>, message = "hi") => {
    harness.translation.toWorker({ type: "prompt", id: "p", message });
    harness.answer("prompt");
    harness.write({ type: "agent_start" });
  };

  it.each(["pi", "omp"] as const)("[O3] %s gets an abort when its agent has started, not before", (name) => {
    using harness = openHarness(name);
    harness.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
    harness.translation.toWorker({ type: "abort", id: "a" });
    harness.answer("prompt");
    expect(harness.lastSent("abort")).toBeUndefined();
    harness.write({ type: "agent_start" });
    expect(harness.lastSent("abort")).toBeDefined();
    // 1.5 calls what was aborted in a tool an error.
    harness.write({
      type: "message_end",
      message: { role: "assistant", content: [], stopReason: "error" },
    });
    harness.write({ type: "agent_end" }, { type: "agent_settled", aborted: true });
    harness.answer("abort");
    expect(harness.of("turn_end")).toMatchObject([{ stop: "aborted" }]);
    expect(harness.of("error")).toEqual([]);
    expect(harness.of("done")).toHaveLength(1);
  });

  it("[O3] omp gets an abort at once while it compacts before its agent starts, which then never does", () => {
    vi.useFakeTimers();
    try {
      using harness = openHarness("omp");
      harness.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
      harness.answer("prompt");
      harness.translation.toWorker({ type: "abort", id: "a" });
      harness.write({ type: "auto_compaction_start", reason: "threshold" });
      expect(harness.lastSent("abort")).toBeDefined();
      harness.write({ type: "auto_compaction_end", aborted: true });
      harness.answer("abort");
      for (const _twice of [1, 2]) {
        expect(harness.of("done")).toEqual([]);
        vi.advanceTimersByTime(1_000);
        harness.answer("get_state", idleState);
      }
      expect(harness.of("turn_end")).toMatchObject([{ stop: "aborted" }]);
      expect(harness.of("done")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("[O29] omp ends a turn whose command goes on in the background; the next prompt is sent at once", () => {
    using harness = openHarness("omp");
    begin(harness);
    harness.write({ type: "agent_end", isTerminal: true });
    const id = harness.lastSent("prompt")?.["id"];
    harness.write({ type: "prompt_result", id, status: "completed", sessionSettled: false });
    expect(harness.of("done")).toHaveLength(1);
    harness.translation.toWorker({ type: "prompt", id: "q", message: "next" });
    expect(harness.lastSent("prompt")).toMatchObject({ message: "next" });
    // The command ends, and omp goes on by itself: that is a turn without a prompt.
    harness.answer("prompt");
    harness.write({ type: "session_settled" });
    expect(harness.of("done")).toHaveLength(1);
  });

  it("[O4] a prompt waits here while the program is busy, also with work that no prompt started", () => {
    using harness = openHarness("omp");
    harness.write({ type: "agent_start" });
    harness.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
    expect(harness.lastSent("prompt")).toBeUndefined();
    harness.write({ type: "agent_end", isTerminal: true }, { type: "session_settled" });
    expect(harness.lastSent("prompt")).toMatchObject({ message: "hi" });
  });

  it("[O4] a refusal is the response; omp's second response, a failure, ends the turn", () => {
    using harness = openHarness("omp");
    harness.translation.toWorker({ type: "prompt", id: "p", message: "hi" });
    harness.refuse("prompt", "no usable model");
    expect(harness.response("p")).toMatchObject({ success: false, error: "no usable model" });
    expect(harness.of("user_message")).toEqual([]);
    harness.translation.toWorker({ type: "prompt", id: "q", message: "hi" });
    harness.answer("prompt");
    harness.refuse("prompt", "already processing");
    expect(harness.of("error")).toMatchObject([{ message: "already processing" }]);
    expect(harness.of("done")).toHaveLength(1);
  });

  it.each(["pi", "omp"] as const)(
    "[O15] %s: steering is shown while it waits, and becomes a message with its key",
    (program) => {
      using harness = openHarness(program);
      begin(harness);
      harness.write({ type: "message_end", message: { role: "user", content: "hi" } });
      const images = [{ mime_type: "image/png", data: "AA==" }];
      harness.translation.toWorker({
        type: "steer",
        id: "s",
        message: "left",
        images,
        key: "k",
        ifRunning: true,
      });
      expect(harness.lastSent("steer")).toMatchObject({
        images: [{ type: "image", mimeType: "image/png", data: "AA==" }],
      });
      harness.write({ type: "queue_update", steering: ["left"], followUp: [] });
      harness.answer("steer");
      expect(harness.of("queue_update")).toMatchObject([{ steering: ["left"], follow_up: [] }]);
      harness.write({
        type: "message_end",
        message: { role: "user", content: [{ type: "text", text: "left" }] },
      });
      expect(harness.of("queue_update").at(-1)).toMatchObject({ steering: [] });
      expect(harness.of("user_message")).toMatchObject([
        { content: [{ text: "hi" }] },
        { content: [{ text: "left" }], key: "k", steering: true },
      ]);
    },
  );

  it("[O21] a turn whose end is never reported is found to be over; one that waits for a retry or a person is not", () => {
    vi.useFakeTimers();
    try {
      using harness = openHarness("omp");
      begin(harness);
      vi.advanceTimersByTime(11_000);
      harness.answer("get_state", { ...idleState, isStreaming: true });
      vi.advanceTimersByTime(11_000);
      harness.answer("get_state", { ...idleState, isSettled: false });
      harness.write({
        type: "auto_retry_start",
        attempt: 1,
        maxAttempts: 3,
        delayMs: 60_000,
        errorMessage: "429",
      });
      vi.advanceTimersByTime(11_000);
      harness.answer("get_state", idleState);
      harness.write({ type: "auto_retry_end", success: true, attempt: 1 });
      harness.write({ type: "extension_ui_request", id: "q", method: "confirm", title: "Sure?" });
      vi.advanceTimersByTime(11_000);
      harness.answer("get_state", idleState);
      expect(harness.of("done")).toEqual([]);
      harness.translation.toWorker({ type: "extension_ui_response", id: "q", confirmed: true });
      vi.advanceTimersByTime(11_000);
      harness.answer("get_state", idleState);
      expect(harness.of("done")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("[O15] steering when nothing runs is refused if the server asks for that, else a prompt: pi would keep it", () => {
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "steer", id: "s", message: "now", ifRunning: true });
    expect(harness.response("s")).toMatchObject({ success: false, error: "The turn has ended." });
    harness.translation.toWorker({ type: "steer", id: "t", message: "now" });
    expect(harness.sent).toMatchObject([{ type: "prompt", message: "now" }]);
  });

  it("[O16] a person's command is shown while it runs, and answered", () => {
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "bash", id: "b", command: "seq 2" });
    const id = harness.lastSent("bash")?.["id"];
    harness.write({ type: "bash_execution_update", id, delta: "1\n" });
    harness.answer("bash", { output: "1\n2\n", exitCode: 0, cancelled: false, truncated: false });
    expect(harness.emitted.map(({ type }) => type)).toEqual([
      "bash_start",
      "bash_output",
      "bash_end",
      "response",
    ]);
    expect(harness.of("bash_end")).toMatchObject([{ id, command: "seq 2", output: "1\n2\n", exit_code: 0 }]);
  });

  it("[O17] going back to a prompt forks the program's session, and both branches can be switched to", () => {
    using harness = openHarness("pi");
    for (const message of ["first", "/command", "second"]) {
      begin(harness, message);
      harness.write({ type: "agent_end" }, { type: "agent_settled" });
    }
    const entryId = harness.of("user_message")[2]?.["entry_id"];
    harness.translation.toWorker({ type: "branch", id: "b", entryId });
    harness.answer("get_fork_messages", {
      messages: ["first", "second"].map((text, at) => ({ entryId: `e${at}`, text })),
    });
    harness.answer("get_state", { ...idleState, sessionFile: "/old.jsonl" });
    expect(harness.lastSent("fork")).toMatchObject({ entryId: "e1" });
    harness.answer("fork", { text: "second", cancelled: false });
    expect(harness.response("b")?.["data"]).toMatchObject({ text: "second" });
    const [branched] = harness.of("branched");
    expect(branched).toMatchObject({ entry_id: entryId });
    harness.translation.toWorker({ type: "switch_branch", id: "w", branch: branched?.["from"] });
    harness.answer("get_state", { ...idleState, sessionFile: "/new.jsonl" });
    expect(harness.lastSent("switch_session")).toMatchObject({ sessionPath: "/old.jsonl" });
    harness.answer("switch_session", { cancelled: false });
    expect(harness.of("branch_switched")).toMatchObject([
      { branch: branched?.["from"], from: branched?.["branch"] },
    ]);
    harness.translation.toWorker({ type: "branch", id: "n", entryId: "unheard-of" });
    expect(harness.response("n")).toMatchObject({
      success: false,
      error: expect.stringContaining("before the agent restarted"),
    });
  });

  it("[O17] another session is replayed from the start", () => {
    using harness = openHarness("pi");
    harness.translation.toWorker({ type: "new_session", id: "b" });
    harness.answer("new_session", { cancelled: false });
    harness.answer("get_messages", {
      messages: [
        { role: "user", content: "first" },
        { role: "assistant", content: [{ type: "toolCall", id: "t", name: "bash", arguments: {} }] },
        { role: "toolResult", toolCallId: "t", content: [{ type: "text", text: "ok" }], isError: false },
      ],
    });
    const expected = [
      "cleared",
      "user_message",
      "turn_start",
      "assistant_message",
      "turn_end",
      "tool_result",
      "done",
    ];
    expect(harness.emitted.slice(1).map(({ type }) => type)).toEqual(expected);
  });

  it("[O18] unknown frames pass unless our protocol uses their type", () => {
    using harness = openHarness("omp");
    begin(harness);
    const before = harness.emitted.length;
    harness.write(
      { type: "todo_reminder", todos: [1] },
      { type: "usage", input: 1e9, output: 0, cache_read: 0, cache_write: 0, cost_usd: 1e6 },
      { type: "done" },
      { type: "cleared", time: "now" },
      { type: "something_huge", text: "x".repeat(100_000) },
      { type: "message_end", message: 7 },
      { type: "message_update", assistantMessageEvent: { type: "sound_delta", delta: "la" } },
      { type: "auto_retry_start", attempt: "many", finalError: 9 },
    );
    expect(harness.emitted.slice(before).map(({ type }) => type)).toEqual([
      "todo_reminder",
      "auto_retry_start",
    ]);
    harness.write({ type: "agent_end", isTerminal: true }, { type: "session_settled" });
    expect(harness.of("done")).toHaveLength(1);
  });
});
