// A view is the same whether it came from a snapshot or from every frame, and never counts one twice.
import { emptyTranscript } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { applyDecoded, emptyView, type SessionView } from "../../src/connection/session-view.ts";

const delta = (text: string): string => JSON.stringify({ type: "text_delta", delta: text });
const frames = (seq: number, lines: string[], merged?: { count: number }) =>
  ({ kind: "frames", seq, count: merged?.count ?? lines.length, lines, streamed: false }) as const;
const started: SessionView = { ...emptyView, seq: 0 };
const textOf = (view: SessionView): string =>
  (view.transcript.partial?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : "?"))
    .join("");

describe("applyDecoded", () => {
  it("frames that were seen are not applied again", () => {
    const once = applyDecoded(started, frames(1, [delta("a"), delta("b")]));
    const again = applyDecoded(once, frames(1, [delta("a"), delta("b"), delta("c")]));
    expect(textOf(again)).toBe("abc");
    expect(again.seq).toBe(3);
  });

  it("a gap is noticed and nothing after it is shown as if it followed", () => {
    const gapped = applyDecoded({ ...started, seq: 4 }, frames(6, [delta("x")]));
    expect(gapped).toMatchObject({ gap: true, seq: 4 });
    expect(textOf(gapped)).toBe("");
  });

  it("merged frames count as many, and are not applied in part", () => {
    const merged = frames(1, [delta("abc")], { count: 3 });
    const once = applyDecoded(started, merged);
    expect(once).toMatchObject({ seq: 3, gap: false });
    expect(applyDecoded(once, merged)).toBe(once);
    expect(applyDecoded({ ...once, seq: 2 }, merged)).toMatchObject({ gap: true, seq: 2 });
  });

  it("text that was streamed is put back into the message that ends it; without it a snapshot is asked for", () => {
    const line = JSON.stringify({
      type: "assistant_message",
      content: [{ type: "text", text: "", streamed: { start: 0, end: 3, of: 3 } }],
      time: "2026-11-18T10:00:00Z",
    });
    const end = { ...frames(2, [line]), streamed: true };
    const told = applyDecoded(applyDecoded(started, frames(1, [delta("abc")])), end);
    expect(told.transcript.messages).toMatchObject([{ content: [{ type: "text", text: "abc" }] }]);
    expect(applyDecoded({ ...started, seq: 1 }, end)).toMatchObject({ gap: true, seq: 1 });
  });

  it("unknown and malformed frames count, and change nothing", () => {
    const view = applyDecoded(started, frames(1, ['{"type":"new"}', "{", delta("z")]));
    expect(view.seq).toBe(3);
    expect(textOf(view)).toBe("z");
  });

  it("a snapshot replaces what was there", () => {
    const before = applyDecoded(started, frames(1, [delta("old")]));
    const after = applyDecoded(before, {
      kind: "line",
      line: {
        ...emptyTranscript,
        type: "snapshot",
        seq: 9,
        messages: [],
        marks: [],
        partial: null,
        bash: [],
        branches: [...emptyTranscript.branches],
      },
    });
    expect(after.seq).toBe(9);
    expect(textOf(after)).toBe("");
  });

  it("what extensions put into the composer waits to be taken, and the newest count", () => {
    const insert = (text: string): string => JSON.stringify({ type: "ext_insert", extension: "e", text });
    const replace = JSON.stringify({
      type: "extension_ui_request",
      id: "u",
      method: "set_editor_text",
      text: "all",
    });
    const lines = [...Array.from({ length: 20 }, (_, index) => insert(String(index))), replace];
    const view = applyDecoded(started, frames(1, lines));
    expect(view.editorTexts).toHaveLength(10);
    expect(view.editorTexts.at(-1)).toEqual({ kind: "replace", text: "all", source: "An extension" });
    expect(view.editorTexts.at(-2)).toEqual({ kind: "insert", text: "19", source: "e" });
  });
});
