// What holds for every stream of frames: the fold changes nothing it is given, never throws, and a
// snapshot at any point continues to the same transcript.
import {
  emptyTranscript,
  type Frame,
  foldTranscript,
  letGrow,
  readFrameValue,
  SnapshotLine,
  settleTranscript,
  type Transcript,
} from "@patchbay/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FixtureName, fixtureFrames } from "../fixture.ts";
import { foldAll } from "../make-frames.ts";

const names: FixtureName[] = ["colibri-401", "colibri-tool-call", "zot-grammar"];
const real = names.flatMap(fixtureFrames);

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

/** Real frames in any order, with repetitions, and frames of any content that the schemas allow. */
const id = fc.constantFrom("a", "b", "toolu_01");
const words = fc.string({ maxLength: 8 });
const made: fc.Arbitrary<Frame> = fc
  .oneof(
    fc.record({ type: fc.constantFrom("text_delta", "thinking_delta"), delta: words }),
    fc.record({ type: fc.constant("tool_use_start"), id, name: words }),
    fc.record({ type: fc.constant("tool_use_args"), id, delta: words }),
    fc.record({ type: fc.constant("tool_call"), id, name: words, args: fc.jsonValue({ maxDepth: 1 }) }),
    fc.record({ type: fc.constant("tool_progress"), id, text: words }),
    fc.record({
      type: fc.constant("tool_result"),
      id,
      is_error: fc.boolean(),
      content: fc.array(fc.record({ type: fc.constant("text"), text: words }), { maxLength: 2 }),
    }),
    fc.record({ type: fc.constant("turn_start"), step: fc.nat(9) }),
    fc.record({
      type: fc.constant("turn_end"),
      stop: fc.constantFrom("end", "end_turn", "tool_use", "aborted", "error"),
    }),
    fc.record({ type: fc.constantFrom("done", "assistant_start") }),
    fc.record({ type: fc.constant("error"), message: words }),
    fc.record({ type: fc.constant("compact_done"), summary: words, kept: fc.nat(5) }),
    fc.record({ type: fc.constant("cleared"), time: words }),
    fc.record({ type: fc.constant("user_message"), content: fc.constant([]), time: words, entry_id: id }),
    fc.record({ type: fc.constant("branched"), branch: id, from: id, entry_id: fc.option(id), time: words }),
    fc.record({
      type: fc.constant("branch_switched"),
      branch: fc.constantFrom("a", "b", "main"),
      from: id,
      time: words,
    }),
    fc.record({ type: fc.constant("bash_start"), id, command: words, time: words }),
    fc.record({ type: fc.constant("bash_output"), id, text: words }),
    fc.record({
      type: fc.constant("bash_end"),
      id,
      command: words,
      output: words,
      exit_code: fc.option(fc.nat(3)),
      cancelled: fc.boolean(),
      truncated: fc.boolean(),
      time: words,
    }),
    fc.record({
      type: fc.constant("worker"),
      event: fc.constantFrom("ready", "exited"),
      time: words,
      reason: words,
    }),
  )
  .map((value) => {
    const reading = readFrameValue(JSON.parse(JSON.stringify(value)));
    if (reading.kind !== "frame") throw new Error(JSON.stringify(reading));
    return reading.frame;
  });
const streams = fc.array(fc.oneof(fc.constantFrom(...real), made), { maxLength: 60 });

/** What a viewer holds after it was sent a snapshot: through JSON and the schema of the line. */
function throughSnapshot(transcript: Transcript): Transcript {
  const line = JSON.stringify({ type: "snapshot", seq: 7, ...transcript });
  const { type: _type, seq: _seq, ...held } = SnapshotLine.parse(JSON.parse(line));
  return {
    messages: held.messages,
    marks: held.marks,
    partial: held.partial,
    usage: held.usage,
    context_tokens: held.context_tokens,
    surface: held.surface,
    bash: held.bash,
    branch: held.branch,
    branches: held.branches,
  };
}

describe("the fold", () => {
  it.each(names)("[P30] leaves %s and every transcript on the way as they were", (name) => {
    const frames = deepFreeze(fixtureFrames(name));
    const frozen = frames.reduce(
      (before, frame) => deepFreeze(foldTranscript(before, frame)),
      deepFreeze(emptyTranscript),
    );
    expect(frozen).toEqual(foldAll(fixtureFrames(name)));
  });

  it("[P30] [P31] never throws and never changes its input, on any stream", () => {
    fc.assert(
      fc.property(streams, (frames) => {
        let transcript = deepFreeze(emptyTranscript);
        for (const frame of deepFreeze(frames)) transcript = deepFreeze(foldTranscript(transcript, frame));
      }),
      { numRuns: 300 },
    );
  });

  it("[P31] anything that is not a frame gives back the same transcript", () => {
    const full = foldAll(fixtureFrames("zot-grammar").slice(0, 20));
    const hostile = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(undefined, null, 5, "done", [], {}),
      fc.record({ type: fc.string() }),
      fc.record({
        type: fc.constantFrom(...real.map((frame) => frame.type)),
        content: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
        time: words,
        is_error: fc.boolean(),
        id: fc.oneof(fc.integer(), id),
        delta: fc.integer(),
        step: words,
        stop: fc.integer(),
        message: fc.integer(),
        summary: fc.integer(),
        text: fc.integer(),
      }),
    );
    fc.assert(
      fc.property(hostile, (value) => {
        const reading = readFrameValue(value);
        const after: Transcript = Reflect.apply(foldTranscript, undefined, [full, value]);
        if (reading.kind !== "frame") expect(after).toBe(full);
        else expect(after).toEqual(foldTranscript(full, reading.frame));
        expect(throughSnapshot(after)).toEqual(after);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    { type: "user_message" },
    { type: "assistant_message", content: null, time: "t" },
    { type: "tool_result", id: "a", is_error: false, content: "text" },
    { type: "text_delta", delta: { not: "text" } },
    { type: "usage", input: "many" },
    { type: "turn_end", stop: "because" },
    { type: "never_heard_of" },
    { type: "response", command: "ping", success: true },
  ])("[P31] %j changes nothing", (value) => {
    const full = foldAll(fixtureFrames("zot-grammar").slice(0, 20));
    expect(Reflect.apply(foldTranscript, undefined, [full, value])).toBe(full);
  });

  it.each(names)("[P43] a snapshot of %s at any point, continued, is the whole", (name) => {
    const frames = fixtureFrames(name);
    const whole = foldAll(frames);
    for (let cut = 0; cut <= frames.length; cut++) {
      const snapshot = throughSnapshot(foldAll(frames.slice(0, cut)));
      expect(snapshot).toEqual(foldAll(frames.slice(0, cut)));
      expect(foldAll(frames.slice(cut), snapshot)).toEqual(whole);
    }
  });

  it("[P43] a snapshot of any stream at any point, continued, is the whole", () => {
    fc.assert(
      fc.property(streams, fc.nat(60), (frames, at) => {
        const snapshot = throughSnapshot(foldAll(frames.slice(0, at)));
        expect(foldAll(frames.slice(at), snapshot)).toEqual(foldAll(frames));
      }),
      { numRuns: 300 },
    );
  });

  it("[P48] a transcript that may grow becomes the same, and what was settled on the way stays what it was", () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(60), { maxLength: 5 }), (frames, looks) => {
        const held: { seen: Transcript; was: string }[] = [];
        let transcript = emptyTranscript;
        frames.forEach((frame, at) => {
          transcript = foldTranscript(letGrow(transcript), frame);
          if (!looks.includes(at)) return;
          settleTranscript(transcript);
          held.push({ seen: deepFreeze(transcript), was: JSON.stringify(transcript) });
        });
        expect(transcript).toEqual(foldAll(frames));
        for (const { seen, was } of held) expect(JSON.stringify(seen)).toBe(was);
      }),
      { numRuns: 300 },
    );
  });

  it("[P48] a transcript that may grow does so in place", () => {
    const prompt = { type: "user_message" as const, content: [], time: "t" };
    const grown = foldTranscript(letGrow(emptyTranscript), prompt);
    expect(emptyTranscript.messages).toEqual([]);
    expect(foldTranscript(grown, { type: "done" }).messages).toBe(grown.messages);
    expect(letGrow(grown)).toBe(grown);
  });

  it("[P32] in a real stream, every tool_use_start and tool_call may come twice", () => {
    const frames = fixtureFrames("zot-grammar");
    const doubled = frames.flatMap((frame): Frame[] =>
      frame.type === "tool_call" || frame.type === "tool_use_start" ? [frame, frame] : [frame],
    );
    expect(foldAll(doubled)).toEqual(foldAll(frames));
  });

  it("[P42] the sum of a real stream is what the worker itself counted", () => {
    const frames = fixtureFrames("zot-grammar");
    const last = frames.findLast((frame) => frame.type === "usage");
    expect(foldAll(frames).usage).toEqual(last?.cumulative);
  });
});
