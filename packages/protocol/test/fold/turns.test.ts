// Turns that go well, and the transcripts colibri captured.
import { emptyTranscript, foldTranscript, noUsage, outputLimit } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { fixtureFrames } from "../fixture.ts";
import {
  answer,
  callBlock,
  delta,
  done,
  foldAll,
  frame,
  progress,
  resultBlock,
  shown,
  started,
  text,
  time,
  toolArgs,
  toolCall,
  toolEnd,
  toolResult,
  toolStart,
  turnEnd,
  turnStart,
  usage,
  user,
} from "../make-frames.ts";

const toCall = [
  user("hi"),
  turnStart(),
  started,
  delta("I look."),
  toolStart("a"),
  toolArgs("a", '{"command":"ls"}'),
];

describe("a turn", () => {
  it("[P43] streams into the partial, which a viewer can show at any moment", () => {
    expect(foldAll(toCall).partial).toMatchObject({
      step: 1,
      content: [text("I look."), { type: "tool_call", id: "a", name: "bash", args: null }],
      tools: [{ id: "a", name: "bash", state: "streaming", args_text: '{"command":"ls"}', output: "" }],
    });
  });

  it("[P32] a tool_call after tool_use_start confirms it, and repeated changes nothing", () => {
    const settled = foldAll([
      ...toCall,
      toolEnd("a"),
      answer(text("I look."), callBlock("a")),
      toolCall("a"),
    ]);
    expect(settled.partial?.tools).toMatchObject([{ id: "a", state: "called", args: { command: "ls" } }]);
    expect(foldTranscript(settled, toolCall("a"))).toBe(settled);
    expect(foldTranscript(settled, toolStart("a"))).toBe(settled);
    expect(foldTranscript(settled, toolArgs("a", "late"))).toBe(settled);
    const over = foldAll(
      [turnEnd("tool_use"), toolResult("a", "ok"), toolCall("a"), toolResult("a", "again")],
      settled,
    );
    expect(over.partial?.tools).toMatchObject([{ id: "a", state: "done", result: [text("ok")] }]);
  });

  it("[P33] a tool_call that nothing announced is a call, and is kept in the answer", () => {
    const transcript = foldAll([
      ...[user("hi"), turnStart(), started, delta("I look."), toolCall("a"), turnEnd("tool_use")],
      ...[toolResult("a", "ok"), done],
    ]);
    expect(shown(transcript).messages).toEqual([
      { role: "user", content: [text("hi")] },
      { role: "assistant", content: [text("I look."), callBlock("a")] },
      { role: "tool", content: [resultBlock("a", "ok")] },
    ]);
  });

  it("[P34] the assistant_message replaces what was streamed", () => {
    const transcript = foldAll([
      user("hi"),
      turnStart(),
      delta("raw secret"),
      answer(text("redacted")),
      turnEnd("end"),
    ]);
    expect(shown(transcript).messages.at(-1)).toEqual({ role: "assistant", content: [text("redacted")] });
    expect(transcript.partial?.content).toEqual([]);
    expect(transcript.marks).toEqual([]);
  });

  it("[P35] content that no assistant_message settled is kept when the call ended well", () => {
    const transcript = foldAll([user("hi"), turnStart(), delta("one"), delta(" two"), turnEnd("end"), done]);
    expect(shown(transcript).messages.at(-1)).toEqual({ role: "assistant", content: [text("one two")] });
  });

  it("[P44] all results of a step are one message, in the order of the calls", () => {
    const transcript = foldAll([
      ...[user("hi"), turnStart(), answer(callBlock("a"), callBlock("b")), toolCall("a"), toolCall("b")],
      ...[turnEnd("tool_use"), toolResult("b", "two", true), toolResult("a", "one"), turnStart(2)],
    ]);
    expect(shown(transcript).messages.slice(2)).toEqual([
      { role: "tool", content: [resultBlock("a", "one"), resultBlock("b", "two", true)] },
    ]);
    expect(transcript.partial).toMatchObject({ step: 2, tools: [], content: [], stop: null });
  });

  it("[P44] the results of the last step are kept when the turn ends with them", () => {
    const frames = [
      user("hi"),
      turnStart(),
      answer(callBlock("a")),
      turnEnd("tool_use"),
      toolResult("a", "one"),
      done,
    ];
    expect(shown(foldAll(frames)).messages.at(-1)).toEqual({
      role: "tool",
      content: [resultBlock("a", "one")],
    });
  });

  it("[P41] a running tool's output is bounded, and the newest stays", () => {
    const called = foldAll([user("hi"), turnStart(), answer(callBlock("a")), turnEnd("tool_use")]);
    const line = `${"x".repeat(4000)}\n`;
    let transcript = called;
    for (let at = 0; at < 400; at++) {
      transcript = foldTranscript(transcript, progress("a", `${at}${line}`));
      const output = transcript.partial?.tools[0]?.output ?? "";
      expect(output.length).toBeLessThanOrEqual(2 * outputLimit);
      expect(output.endsWith(`${at}${line}`)).toBe(true);
    }
    expect(transcript.partial?.tools[0]?.output.length).toBeGreaterThanOrEqual(outputLimit);
  });

  it("[P47] an endless answer is cut off in the transcript, and the turn goes on", () => {
    const megabyte = delta("x".repeat(1024 * 1024));
    const flood = Array.from({ length: 40 }, () => megabyte);
    const transcript = foldAll([user("hi"), turnStart(), ...flood]);
    const block = transcript.partial?.content[0];
    const length = block?.type === "text" ? block.text.length : 0;
    expect(length).toBeGreaterThan(16 * 1024 * 1024);
    expect(length).toBeLessThan(18 * 1024 * 1024);
    expect(foldTranscript(transcript, megabyte)).toBe(transcript);
  });

  it("[P42] usage sums to the nano-dollar, per turn and for the session", () => {
    const turn = [
      user("hi"),
      turnStart(),
      usage(0.1),
      turnEnd("tool_use"),
      turnStart(2),
      usage(0.2),
      turnEnd("end"),
      done,
    ];
    const transcript = foldAll([...turn, ...turn]);
    expect(transcript.usage).toEqual({
      input: 1240,
      output: 308,
      cache_read: 2048,
      cache_write: 20,
      cost_usd: 0.6,
    });
    expect(transcript.marks).toHaveLength(2);
    for (const mark of transcript.marks)
      expect(mark).toMatchObject({ kind: "turn", calls: 2, usage: { cost_usd: 0.3 } });
    expect(transcript.context_tokens).toBe(310 + 77 + 512 + 5);
  });

  it("[P42] ten thousand calls of a ten-thousandth cost a dollar", () => {
    const calls = Array.from({ length: 10_000 }, () => usage(0.0001));
    expect(foldAll(calls).usage.cost_usd).toBe(1);
  });

  it("[P45] what says nothing new gives the same object back", () => {
    const idle = foldAll([user("hi"), turnStart(), turnEnd("end"), done]);
    for (const nothing of [done, toolEnd("zz"), progress("zz", "late"), toolArgs("zz", "{"), started]) {
      expect(foldTranscript(idle, nothing)).toBe(idle);
    }
    const question = frame({ type: "extension_ui_request", id: "q", method: "never_heard_of" });
    expect(foldTranscript(idle, question)).toBe(idle);
    expect(foldTranscript(idle, frame({ type: "worker", event: "ready", time }))).toBe(idle);
  });

  it("[P45] notices of extensions and budgets are marks where they came", () => {
    const transcript = foldAll([
      user("hi"),
      frame({ type: "ext_notify", extension: "guard", level: "warn", message: "careful" }),
      frame({ type: "ext_display", extension: "guard", text: "shown" }),
      frame({ type: "budget", time, message: "half is spent" }),
    ]);
    expect(transcript.marks).toEqual([
      { kind: "notice", at: 1, source: "guard", level: "warn", text: "careful" },
      { kind: "notice", at: 1, source: "guard", level: "display", text: "shown" },
      { kind: "notice", at: 1, source: "budget", level: "warn", text: "half is spent" },
    ]);
  });

  it("[P40] cleared drops messages and marks, and keeps what was spent", () => {
    const before = foldAll([user("hi"), turnStart(), delta("x"), usage(0.5)]);
    const after = foldTranscript(before, frame({ type: "cleared", time }));
    expect(after).toEqual({ ...emptyTranscript, usage: before.usage });
    expect(after.usage.cost_usd).toBe(0.5);
  });
});

describe("colibri's transcripts", () => {
  it("[P37] the refused prompt", () => {
    const transcript = foldAll(fixtureFrames("colibri-401"));
    expect(shown(transcript)).toEqual({
      messages: [{ role: "user", content: [text("check the current directory")] }],
      marks: [
        { kind: "turn", at: 1, stop: "error", error: "deepseek: http 401: ...", calls: 0, usage: noUsage },
      ],
    });
    expect(transcript.partial).toBeNull();
  });

  it("[P35] the tool call, without assistant_message and tool_call", () => {
    const transcript = foldAll(fixtureFrames("colibri-tool-call"));
    const id = "call_00_...";
    expect(shown(transcript).messages).toEqual([
      { role: "user", content: [text("run uname -a and tell me the kernel version in one sentence")] },
      { role: "assistant", content: [callBlock(id, "bash", { command: "uname -a" })] },
      { role: "tool", content: [resultBlock(id, "$ uname -a\n...")] },
      { role: "assistant", content: [text("This system is running FreeBSD 15.0-RELEASE-p10.")] },
    ]);
    expect(transcript.marks).toMatchObject([{ kind: "turn", at: 4, stop: "end", calls: 2 }]);
    expect(transcript.usage).toEqual({
      input: 321,
      output: 60,
      cache_read: 1792,
      cache_write: 0,
      cost_usd: 0.000401,
    });
  });
});
