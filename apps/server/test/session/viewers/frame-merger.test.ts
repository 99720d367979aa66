// A viewer of merged deltas ends with the same transcript as one of every frame.
import {
  emptyTranscript,
  foldTranscript,
  readFrame,
  readFrameValue,
  restoreStreamed,
  type Transcript,
} from "@patchbay/protocol";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameMerger } from "../../../src/session/viewers/frame-merger.ts";

const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(""));

interface Shown {
  transcript: Transcript;
  seq: number;
  bytes: number;
}

/** As the page reads it. */
function read(shown: Shown, text: string): Shown {
  const lines = text.split("\n");
  let { transcript, seq } = shown;
  for (let at = 0; at < lines.length - 1; ) {
    const header = JSON.parse(lines[at] ?? "") as {
      seq: number;
      count: number;
      merged?: true;
      streamed?: true;
    };
    expect(header.seq).toBe(seq + 1);
    seq += header.count;
    const run = lines.slice(at + 1, at + 1 + (header.merged === true ? 1 : header.count));
    at += 1 + run.length;
    for (const line of run) {
      const restored = header.streamed ? restoreStreamed(line, transcript.partial?.content ?? []) : undefined;
      if (header.streamed) expect(restored).toBeDefined();
      const reading = header.streamed ? readFrameValue(restored) : readFrame(line);
      if (reading.kind === "frame") transcript = foldTranscript(transcript, reading.frame);
    }
  }
  return { transcript, seq, bytes: shown.bytes + Buffer.byteLength(text) };
}

function exact(lines: readonly string[]): Transcript {
  let transcript: Transcript = emptyTranscript;
  for (const line of lines) {
    const reading = readFrame(line);
    if (reading.kind === "frame") transcript = foldTranscript(transcript, reading.frame);
  }
  return transcript;
}

const time = "2026-11-18T10:00:00Z";
const line = (frame: object): string => JSON.stringify(frame);

/** One step of a turn: streamed text and thinking in pieces, other frames between them, and the message that ends it. */
const step = fc
  .record({
    texts: fc.array(
      fc.record({
        kind: fc.constantFrom("text", "thinking"),
        text: fc.string({ unit: "grapheme", maxLength: 600 }),
        sorted: fc.boolean(),
        progress: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
    pieces: fc.integer({ min: 1, max: 9 }),
    /** What the worker keeps may differ from what it streamed. */
    changed: fc.boolean(),
    ends: fc.boolean(),
  })
  .map(({ texts, pieces, changed, ends }) => {
    const lines = [line({ type: "turn_start", step: 1 })];
    for (const { kind, text, sorted, progress } of texts) {
      const size = Math.max(1, Math.ceil(text.length / pieces));
      for (let at = 0; at < text.length; at += size) {
        const delta = text.slice(at, at + size); // may cut a surrogate pair
        lines.push(line(sorted ? { delta, type: `${kind}_delta` } : { type: `${kind}_delta`, delta }));
      }
      if (progress) lines.push(line({ type: "tool_progress", id: "t", text: "…" }));
    }
    const blocks: { type: string; text: string }[] = [];
    for (const { kind, text } of texts) {
      const last = blocks.at(-1);
      if (last?.type === kind) last.text += text;
      else if (text !== "") blocks.push({ type: kind, text });
    }
    const content = changed ? blocks.map((block) => ({ ...block, text: `${block.text}!` })) : blocks;
    if (ends) lines.push(line({ type: "assistant_message", content, time }));
    return lines;
  });

describe("merged deltas", () => {
  it("[A23] lead to the same transcript as every frame, wherever messages begin and end", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 4 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        (steps, sizes) => {
          const lines = [
            line({ type: "user_message", content: [{ type: "text", text: "go" }], time }),
            ...steps.flat(),
          ];
          const merger = new FrameMerger();
          let shown: Shown = { transcript: emptyTranscript, seq: 0, bytes: 0 };
          for (let at = 0; at < lines.length; ) {
            const size = sizes.next().value;
            const part = lines.slice(at, at + size);
            expect(merger.add(at + 1, bytesOf(part)).count).toBe(part.length);
            at += part.length;
            if (size % 2 === 0) continue; // gathered with what follows
            shown = read(shown, merger.take()?.text ?? "");
          }
          shown = read(shown, merger.take()?.text ?? "");
          expect(shown.seq).toBe(lines.length);
          expect(shown.transcript).toEqual(exact(lines));
        },
      ),
      { numRuns: 200 },
    );
  });

  it("[A23] take less than twice the bytes of the text, 5 deltas of 52 bytes a message and the end included", () => {
    const words = "The relay shows what the agent writes, as it is said.";
    const lines = [line({ type: "turn_start", step: 1 })];
    for (let index = 0; index < 3_000; index++) lines.push(line({ type: "text_delta", delta: words }));
    const text = words.repeat(3_000);
    lines.push(line({ type: "assistant_message", content: [{ type: "text", text }], time }));
    const merger = new FrameMerger();
    let shown: Shown = { transcript: emptyTranscript, seq: 0, bytes: 0 };
    for (let at = 0; at < lines.length; at += 5) {
      merger.add(at + 1, bytesOf(lines.slice(at, at + 5)));
      shown = read(shown, merger.take()?.text ?? "");
    }
    expect(shown.transcript).toEqual(exact(lines));
    expect(shown.bytes / text.length).toBeLessThan(1.5);
  });

  it("[A23] lines that look like deltas and are none, or have more fields, stay as they are", () => {
    const lines = [
      '{"type":"text_delta",oops}',
      '{"type":"text_delta","delta":"a","index":1}',
      '{"type":"text_delta","delta":1}',
    ];
    const merger = new FrameMerger();
    merger.add(1, bytesOf(lines));
    expect(merger.take()?.text).toBe(`{"type":"frames","seq":1,"count":3}\n${lines.join("\n")}\n`);
  });

  it("[A23] a message whose beginning was not added is sent whole", () => {
    const text = "x".repeat(1_000);
    const end = line({ type: "assistant_message", content: [{ type: "text", text }], time });
    const merger = new FrameMerger();
    merger.add(1, bytesOf([line({ type: "text_delta", delta: text })]));
    merger.take();
    merger.add(2, bytesOf([end]));
    expect(merger.take()?.text).toContain(text);
  });
});
