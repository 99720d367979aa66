// The order of what is drawn, and the words for how turns and workers ended.
import type { Mark, Message } from "@patchbay/protocol";
import { emptyTranscript, noUsage } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { retryDelay } from "../../../src/api/http/retry-delay.ts";
import { nameFrom } from "../../../src/session-list/name-from.ts";
import { liveEntry, resultsOf, settledEntries } from "../../../src/transcript/entries/entries.ts";
import { exitText } from "../../../src/transcript/marks/exit-text.ts";
import { turnCost, turnFacts } from "../../../src/transcript/marks/turn-facts.ts";

const message = (role: Message["role"], text: string): Message => ({
  role,
  content: [{ type: "text", text }],
  time: "",
});
const error = (at: number): Mark => ({ kind: "error", at, message: String(at) });

describe("entries", () => {
  it("marks stand where they were made, after everything when they are last", () => {
    const messages = [message("user", "a"), message("assistant", "b"), message("user", "c")];
    const keys = settledEntries(messages, [error(0), error(2), error(2), error(3)]).map(({ key }) => key);
    expect(keys).toEqual(["mark-0", "message-0", "message-1", "mark-1", "mark-2", "message-2", "mark-3"]);
  });

  it("an answer under way has the key its message will have", () => {
    const partial = {
      step: 1,
      content: [{ type: "text" as const, text: "b" }],
      tools: [],
      calls: 0,
      usage: noUsage,
      stop: null,
      error: null,
      time: "",
    };
    const live = liveEntry({ ...emptyTranscript, messages: [message("user", "a")], partial });
    const settled = settledEntries([message("user", "a"), message("assistant", "b")], []);
    expect(live?.key).toBe(settled[1]?.key);
    expect(liveEntry({ ...emptyTranscript, partial: { ...partial, content: [] } })).toBeNull();
  });

  it("tool results are found by their call and shown nowhere else", () => {
    const messages: Message[] = [
      {
        role: "tool",
        time: "",
        content: [{ type: "tool_result", call_id: "t", is_error: false, content: [] }],
      },
    ];
    expect(settledEntries(messages, [])).toEqual([]);
    expect(resultsOf(messages).get("t")?.call_id).toBe("t");
    expect(resultsOf(messages)).toBe(resultsOf(messages));
  });
});

describe("words", () => {
  it("a turn is summed up, and a turn without a call has nothing to sum", () => {
    const usage = { input: 1_300, output: 1_100, cache_read: 16_700, cache_write: 200, cost_usd: 0.0412 };
    const mark = {
      kind: "turn" as const,
      at: 0,
      stop: "end" as const,
      error: null,
      calls: 3,
      usage,
      duration_ms: 41_000,
    };
    expect(turnFacts(mark)).toEqual(["3 calls", "41 s", "18.2k in (92 % cached)", "1.1k out"]);
    expect(turnCost(mark)).toBe("$0.0412");
    expect(turnFacts({ ...mark, calls: 0, usage: noUsage })).toEqual(["41 s"]);
    expect(turnCost({ ...mark, calls: 0, usage: noUsage })).toBeNull();
  });

  it("a worker's end has a heading and says what to do, once", () => {
    const reason =
      "The agent stopped: exit code 3. Its last output is below. Send a prompt to start it again.";
    expect(exitText(reason, "fatal")).toEqual({
      title: "The agent stopped: exit code 3.",
      advice: "Its last output is below. Send a prompt to start it again.",
    });
    expect(exitText(reason, " ").advice).toBe("No error output. Send a prompt to start it again.");
    expect(exitText("The server ended. Send a prompt to start it again.", "").advice).toBe(
      "Send a prompt to start it again.",
    );
    expect(exitText("Gone", "x")).toEqual({
      title: "Gone.",
      advice: "Its last output is below. Send a prompt to start it again.",
    });
  });

  it("a session is named after the first line, cut at a word", () => {
    expect(nameFrom("  Fix the test\nplease")).toBe("Fix the test");
    const long = nameFrom("Find out why the retry test fails about one time in five and then fix it");
    expect(long).toBe("Find out why the retry test fails about one time in five…");
    expect(nameFrom("x".repeat(100)).length).toBeLessThanOrEqual(61);
  });
});

describe("coming back", () => {
  it("tries at once, then waits longer, with jitter and a limit", () => {
    expect(retryDelay(0, () => 1)).toBe(0);
    expect([1, 2, 3].map((attempt) => retryDelay(attempt, () => 1))).toEqual([400, 800, 1_600]);
    expect(retryDelay(1, () => 0)).toBe(200);
    expect(retryDelay(40, () => 1)).toBe(15_000);
  });
});
