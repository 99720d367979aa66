// A person's own commands in the fold: messages that are no prompts, never in the middle of a turn.
import { bashOutput, contextMessages, type Frame, foldTranscript, outputLimit } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import {
  answer,
  callBlock,
  done,
  exited,
  foldAll,
  frame,
  text,
  time,
  toolCall,
  toolResult,
  turnEnd,
  turnStart,
  user,
} from "../make-frames.ts";

const start = (id: string): Frame => frame({ type: "bash_start", id, command: `run ${id}`, time });
const output = (id: string, words: string): Frame => frame({ type: "bash_output", id, text: words });
const end = (id: string, more: object = {}): Frame =>
  frame({
    type: "bash_end",
    id,
    command: `run ${id}`,
    output: "out\n",
    exit_code: 3,
    cancelled: false,
    truncated: false,
    time,
    ...more,
  });

describe("a person's own command", () => {
  it("[F10] runs beside the messages and becomes one of them: what it was, what it wrote, how it ended", () => {
    const running = foldAll([start("a"), output("a", "o"), output("a", "ut")]);
    expect(running).toMatchObject({ messages: [], bash: [{ command: "run a", output: "out", ended: null }] });
    const ended = foldTranscript(running, end("a"));
    expect(ended.bash).toEqual([]);
    expect(ended.partial).toBeNull();
    expect(ended.messages).toMatchObject([
      { role: "user", bash: { id: "a", command: "run a", exit_code: 3, cancelled: false, truncated: false } },
    ]);
    const message = ended.messages[0];
    expect(message && bashOutput(message)).toBe("out");
    expect(contextMessages(ended)[0]?.content).toMatchObject([
      { text: "I ran this command myself:\n\n$ run a" },
      { text: "out" },
      { text: "It ended with exit code 3." },
    ]);
  });

  it("[F10] a cut output names the file that has all of it, and a stopped one says so", () => {
    const cut = foldAll([
      start("a"),
      end("a", { truncated: true, full_output_path: "/tmp/all.log", output: "" }),
    ]);
    expect(cut.messages[0]?.content).toMatchObject([
      {},
      { text: "(no output)" },
      { text: expect.stringContaining("/tmp/all.log") },
    ]);
    const stopped = foldAll([end("b", { exit_code: null, cancelled: true })]);
    expect(stopped.messages[0]?.content[2]).toMatchObject({ text: "It was stopped." });
    expect(cut.messages[0] && bashOutput(cut.messages[0])).toBe("");
  });

  it("[F11] one that ends while a turn runs joins when the turn is over, never between a call and its result", () => {
    const during = foldAll([
      user("go"),
      turnStart(),
      start("a"),
      answer(callBlock("t1")),
      toolCall("t1"),
      turnEnd("tool_use"),
      end("a"),
      toolResult("t1", "fine"),
    ]);
    expect(during.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(during.bash).toMatchObject([{ id: "a", ended: { exit_code: 3 } }]);
    const over = foldAll([turnStart(2), answer(text("ok")), turnEnd("end"), done], during);
    expect(over.messages.map(({ role, bash }) => (bash === undefined ? role : "bash"))).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "bash",
    ]);
    expect(over.bash).toEqual([]);
    expect(foldTranscript(over, end("a")).messages).toHaveLength(6); // a frame of its own, not swallowed
  });

  it("[F12] it dies with its worker, and keeps what it wrote until then", () => {
    const died = foldAll([user("go"), turnStart(), start("a"), output("a", "half"), exited("gone")]);
    expect(died.bash).toEqual([]);
    expect(died.messages.at(-1)).toMatchObject({ bash: { cancelled: true, exit_code: null } });
    expect(died.messages[1] && bashOutput(died.messages[1])).toBe("half");
  });

  it("[F13] its live output is bounded; the newest stays", () => {
    const flood = Array.from({ length: 70 }, () => output("a", "x".repeat(16 * 1024)));
    const run = foldAll([start("a"), ...flood, output("a", "end")]).bash[0];
    expect(run?.output.length).toBeLessThanOrEqual(2 * outputLimit + 3);
    expect(run?.output.endsWith("end")).toBe(true);
    expect(foldTranscript(foldAll([start("a")]), start("a")).bash).toHaveLength(1);
  });
});
