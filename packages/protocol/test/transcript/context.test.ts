// What the model still sees: the transcript, or the summary and what came after it.
import { compactedHeading, contextMessages, type Frame, messageText } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { fixtureFrames } from "../fixture.ts";
import {
  answer,
  callBlock,
  done,
  exited,
  foldAll,
  frame,
  resultBlock,
  text,
  toolResult,
  turnEnd,
  turnStart,
  user,
} from "../make-frames.ts";

const turn = (words: string): Frame[] => [
  user(words),
  turnStart(),
  answer(text(`re: ${words}`)),
  turnEnd("end"),
  done,
];
const toolTurn = (id: string): Frame[] => [
  ...[
    user("use it"),
    turnStart(),
    answer(text("I do"), callBlock(id)),
    turnEnd("tool_use"),
    toolResult(id, "ok"),
  ],
  ...[turnStart(2), answer(text("done")), turnEnd("end"), done],
];
const compact = (kept?: number): Frame =>
  frame({ type: "compact_done", summary: "The story so far.", ...(kept === undefined ? {} : { kept }) });

const seen = (frames: Frame[]): string[] =>
  contextMessages(foldAll(frames)).map((message) => `${message.role}: ${messageText(message)}`);

const summary = `user: ${compactedHeading}\n\nThe story so far.`;

describe("the context", () => {
  it("[P50] without a compaction is the whole transcript", () => {
    const transcript = foldAll([...turn("a"), ...toolTurn("t")]);
    expect(contextMessages(transcript)).toEqual(transcript.messages);
  });

  it("[P51] after a compaction: the summary, zot's four last messages, and what came later", () => {
    const frames = [...turn("a"), ...turn("b"), ...turn("c"), compact(), ...turn("d")];
    expect(seen(frames)).toEqual([
      summary,
      "user: b",
      "assistant: re: b",
      "user: c",
      "assistant: re: c",
      "user: d",
      "assistant: re: d",
    ]);
  });

  it.each([
    [0, []],
    [1, ["assistant: re: b"]],
    [99, ["user: a", "assistant: re: a", "user: b", "assistant: re: b"]],
  ])("[P51] a worker that kept %i messages", (kept, tail) => {
    expect(seen([...turn("a"), ...turn("b"), compact(kept)])).toEqual([summary, ...tail]);
  });

  it("[P51] only the last compaction counts", () => {
    const frames = [
      ...turn("a"),
      frame({ type: "compact_done", summary: "older", kept: 0 }),
      ...turn("b"),
      compact(1),
    ];
    expect(seen(frames)).toEqual([summary, "assistant: re: b"]);
  });

  it("[P52] a result whose call went into the summary is dropped", () => {
    const context = contextMessages(foldAll([...toolTurn("t"), compact(2)]));
    expect(context.map((message) => message.role)).toEqual(["user", "assistant"]);
    expect(context[1]?.content).toEqual([text("done")]);
  });

  it("[P52] a call without a result is dropped, the words beside it stay", () => {
    const frames = [
      user("hi"),
      turnStart(),
      answer(text("I do"), callBlock("a"), callBlock("b")),
      turnEnd("tool_use"),
    ];
    const context = contextMessages(foldAll([...frames, toolResult("a", "ok"), exited("It died.")]));
    expect(context.map(({ content }) => content)).toEqual([
      [text("hi")],
      [text("I do"), callBlock("a")],
      [resultBlock("a", "ok")],
    ]);
  });

  it("[P52] a message that was nothing but an unanswered call is dropped", () => {
    const frames = [user("hi"), turnStart(), answer(callBlock("a")), turnEnd("length"), done];
    expect(seen(frames)).toEqual(["user: hi"]);
  });

  it("[P52] a result without a call is dropped, compacted or not", () => {
    expect(seen([user("hi"), turnStart(), toolResult("stray", "ok"), done])).toEqual(["user: hi"]);
  });

  it("[P52] in a real conversation, cut anywhere, calls and results pair up", () => {
    const frames = fixtureFrames("zot-grammar");
    for (let cut = 0; cut <= frames.length; cut++) {
      const blocks = contextMessages(foldAll([...frames.slice(0, cut), exited("cut")])).flatMap(
        (m) => m.content,
      );
      const calls = blocks.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
      const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block.call_id] : []));
      expect(results).toEqual(calls);
    }
  });
});
