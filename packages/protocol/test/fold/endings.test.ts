// The ways a turn can end badly: zot's table of aborts, its table of failures, compactions, and a
// worker that dies.
import { foldTranscript, noUsage } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import {
  answer,
  callBlock,
  delta,
  done,
  errorFrame,
  exited,
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
  toolResult,
  toolStart,
  turnEnd,
  turnStart,
  usage,
  user,
} from "../make-frames.ts";

const asked = { role: "user", content: [text("hi")] };
const turnMark = (at: number, stop: string, error: string | null, calls = 1) =>
  expect.objectContaining({ kind: "turn", at, stop, error, calls });

describe("an abort", () => {
  it("[P36] while waiting for headers, which zot calls an error", () => {
    const frames = [user("hi"), turnStart(), turnEnd("error", "context canceled"), done];
    expect(shown(foldAll(frames))).toEqual({
      messages: [asked],
      marks: [turnMark(1, "aborted", null, 0)],
    });
  });

  it("[P36] while text streams: the part is kept", () => {
    const frames = [user("hi"), turnStart(), started, delta("Once"), usage(), answer(text("Once"))];
    const transcript = foldAll([...frames, turnEnd("aborted", "context canceled"), done]);
    expect(shown(transcript)).toEqual({
      messages: [asked, { role: "assistant", content: [text("Once")] }],
      marks: [turnMark(2, "aborted", null)],
    });
  });

  it("[P36] [P35] while a tool call streams: nothing is kept, and what was seen is shown as such", () => {
    const frames = [user("hi"), turnStart(), started, delta("I "), toolStart("a"), toolArgs("a", '{"comm')];
    const ended = foldAll([...frames, usage(), turnEnd("aborted", "context canceled")]);
    expect(ended.partial).toMatchObject({ content: [], tools: [] });
    const transcript = foldTranscript(ended, done);
    expect(shown(transcript)).toEqual({
      messages: [asked],
      marks: [
        { kind: "unkept", at: 1, content: [text("I "), callBlock("a", "bash", null)] },
        turnMark(1, "aborted", null),
      ],
    });
    expect(transcript.partial).toBeNull();
  });

  it("[P36] while tools run: their results are kept, and the turn was aborted though no frame says so", () => {
    const frames = [
      user("hi"),
      turnStart(),
      usage(),
      answer(callBlock("a")),
      toolCall("a"),
      turnEnd("tool_use"),
    ];
    const transcript = foldAll([...frames, progress("a", "half"), toolResult("a", "[exit -1]", true), done]);
    expect(shown(transcript)).toEqual({
      messages: [
        asked,
        { role: "assistant", content: [callBlock("a")] },
        { role: "tool", content: [resultBlock("a", "[exit -1]", true)] },
      ],
      marks: [turnMark(3, "aborted", null)],
    });
  });

  it("[P36] while compacting: zot says nothing, and a done from another worker changes nothing", () => {
    const idle = foldAll([user("hi"), turnStart(), answer(text("yes")), turnEnd("end"), done]);
    expect(foldTranscript(idle, done)).toBe(idle);
  });

  it("[P36] the next prompt starts afresh", () => {
    const aborted = [user("hi"), turnStart(), delta("x"), turnEnd("aborted"), done];
    const transcript = foldAll([...aborted, user("again"), turnStart()]);
    expect(transcript.partial).toMatchObject({
      step: 1,
      content: [],
      tools: [],
      calls: 0,
      stop: null,
      error: null,
    });
  });
});

describe("a failure", () => {
  it("[P37] of a call that zot tries again in the same step leaves no error", () => {
    const again = [user("hi"), turnStart(), turnEnd("error", "http 429"), started, delta("yes")];
    expect(shown(foldAll([...again, usage(), answer(text("yes")), turnEnd("end"), done]))).toEqual({
      messages: [asked, { role: "assistant", content: [text("yes")] }],
      marks: [turnMark(2, "end", null)],
    });
  });

  it("[P37] to connect", () => {
    const frames = [user("hi"), turnStart(), turnEnd("error", "http 500"), errorFrame("http 500"), done];
    expect(shown(foldAll(frames))).toEqual({
      messages: [asked],
      marks: [turnMark(1, "error", "http 500", 0)],
    });
  });

  it("[P37] [P35] in the middle of a stream, whether the part is kept or not", () => {
    const start = [user("hi"), turnStart(), started, delta("Once"), usage()];
    const tail = [turnEnd("error", "overloaded"), errorFrame("overloaded"), done];
    expect(shown(foldAll([...start, answer(text("Once")), ...tail]))).toEqual({
      messages: [asked, { role: "assistant", content: [text("Once")] }],
      marks: [turnMark(2, "error", "overloaded")],
    });
    expect(shown(foldAll([...start, ...tail]))).toEqual({
      messages: [asked],
      marks: [{ kind: "unkept", at: 1, content: [text("Once")] }, turnMark(1, "error", "overloaded")],
    });
  });

  it("[P37] by an extension that blocks the turn, without an error event", () => {
    const frames = [user("hi"), turnStart(), turnEnd("error", "not on Sundays"), done];
    expect(foldAll(frames).marks).toEqual([turnMark(1, "error", "not on Sundays", 0)]);
  });

  it("[P37] by too many steps, without a turn_end: an error, not an abort", () => {
    const frames = [
      user("hi"),
      turnStart(),
      usage(),
      answer(callBlock("a")),
      turnEnd("tool_use"),
      toolResult("a", "ok"),
    ];
    const transcript = foldAll([...frames, errorFrame("max steps (1) exceeded"), done]);
    expect(transcript.marks).toEqual([turnMark(3, "error", "max steps (1) exceeded")]);
    expect(shown(transcript).messages.at(-1)).toEqual({ role: "tool", content: [resultBlock("a", "ok")] });
  });

  it("[P37] for want of room, with calls that never run", () => {
    const frames = [
      user("hi"),
      turnStart(),
      usage(),
      answer(callBlock("a")),
      toolCall("a"),
      turnEnd("length"),
      done,
    ];
    expect(foldAll(frames).marks).toEqual([turnMark(2, "length", null)]);
  });

  it("[P37] outside of a turn is a mark of its own", () => {
    expect(foldAll([errorFrame("empty summary from model")]).marks).toEqual([
      { kind: "error", at: 0, message: "empty summary from model" },
    ]);
  });
});

describe("a compaction", () => {
  it("[P241] that was stopped is a quiet note", () => {
    const [mark] = foldAll([errorFrame("aborted")]).marks;
    expect(mark).toMatchObject({ kind: "notice", level: "info", text: "Compaction stopped." });
  });

  it("[P241] that has nothing to do is a quiet note, whichever agent refuses it", () => {
    const note = {
      kind: "notice",
      at: 0,
      source: "compaction",
      level: "info",
      text: "Nothing to compact yet.",
    };
    for (const message of ["nothing to compact", "Nothing to compact (session too small)"])
      expect(foldAll([errorFrame(message)]).marks).toEqual([note]);
  });

  const idle = foldAll([user("hi"), turnStart(), usage(), answer(text("yes")), turnEnd("end"), done]);
  const compacted = frame({ type: "compact_done", summary: "They said hi." });
  const mark = { kind: "compaction", at: 2, summary: "They said hi.", kept: 4 };

  it("[P38] ends with compact_done, and a done after it changes nothing", () => {
    const without = foldTranscript(idle, compacted);
    expect(without.marks.at(-1)).toEqual(mark);
    expect(without.messages).toBe(idle.messages);
    expect(without.partial).toBeNull();
    expect(foldTranscript(without, done)).toBe(without);
  });

  it("[P38] says how many messages stayed, if the worker says so", () => {
    const transcript = foldTranscript(idle, frame({ type: "compact_done", summary: "s", kept: 2 }));
    expect(transcript.marks.at(-1)).toMatchObject({ kind: "compaction", kept: 2 });
  });

  it("[P38] [P42] its usage is spent, belongs to no turn, and the fill of the context is unknown after it", () => {
    const transcript = foldAll([usage(0.01), compacted], idle);
    expect(transcript.usage.cost_usd).toBe(0.0142);
    expect(transcript.partial).toBeNull();
    expect(transcript.context_tokens).toBeNull();
    expect(idle.context_tokens).toBe(904);
  });
});

describe("a worker that exits", () => {
  it("[P39] [P240] in a turn: what was streamed is shown as unkept, results and the output of running tools stay, the turn is interrupted", () => {
    const frames = [
      user("hi"),
      turnStart(),
      usage(),
      answer(callBlock("a"), callBlock("b")),
      turnEnd("tool_use"),
    ];
    const transcript = foldAll([
      ...frames,
      toolResult("a", "ok"),
      progress("b", "half"),
      exited("It was killed."),
    ]);
    expect(shown(transcript)).toEqual({
      messages: [
        asked,
        { role: "assistant", content: [callBlock("a"), callBlock("b")] },
        {
          role: "tool",
          content: [
            resultBlock("a", "ok"),
            { ...resultBlock("b", "half"), is_error: true, details: { interrupted: true } },
          ],
        },
      ],
      marks: [
        turnMark(3, "interrupted", null),
        {
          kind: "worker_exit",
          at: 3,
          reason: "It was killed.",
          code: null,
          signal: "SIGKILL",
          stderr: "last words",
          time,
        },
      ],
    });
    const streaming = foldAll([user("hi"), turnStart(), delta("Once"), exited("It was killed.")]);
    expect(streaming.marks[0]).toEqual({ kind: "unkept", at: 1, content: [text("Once")] });
    expect(streaming.partial).toBeNull();
  });

  it("[P39] because somebody asked: no mark, and nothing at all when idle", () => {
    const idle = foldAll([user("hi"), turnStart(), turnEnd("end"), done]);
    expect(foldTranscript(idle, exited())).toBe(idle);
    expect(foldAll([user("hi"), exited()]).marks).toEqual([
      { kind: "turn", at: 1, stop: "interrupted", error: null, calls: 0, usage: noUsage },
    ]);
  });

  it("[P46] and starts again without its memory says so, unless there was nothing to remember", () => {
    const ready = (restored: boolean) => frame({ type: "worker", event: "ready", time, restored });
    const idle = foldAll([user("hi"), turnStart(), turnEnd("end"), done]);
    expect(foldTranscript(idle, ready(false)).marks.at(-1)).toMatchObject({
      kind: "notice",
      at: 1,
      level: "warn",
    });
    expect(foldTranscript(idle, ready(true))).toBe(idle);
    expect(foldAll([ready(false)]).marks).toEqual([]);
  });
});
