// Updates that repeat the whole message: only the new text is emitted, in linear time, whichever way a long frame comes.
import { emptyTranscript, foldTranscript, messageText, readFrame } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { Chunks } from "../../../../src/machine/dialects/pi/wire/chunks.ts";
import { findDelta } from "../../../../src/machine/dialects/pi/wire/find-delta.ts";
import { openHarness } from "./harness.ts";

const text = (length: number): string => `"\\\u2028é😀${"x".repeat(length)}`;

function* answerOf(pieces: string[], elide: (text: string) => string): Generator<string> {
  const message = (whole: string) => ({
    role: "assistant",
    content: [{ type: "text", text: elide(whole) }],
    usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.01 } },
    stopReason: "stop",
  });
  yield JSON.stringify({ type: "message_start", message: message("") });
  let whole = "";
  for (const delta of pieces) {
    whole += delta;
    const event = { type: "text_delta", contentIndex: 0, delta, partial: message(whole) };
    yield JSON.stringify({ type: "message_update", assistantMessageEvent: event, message: message(whole) });
  }
  yield JSON.stringify({ type: "message_end", message: message(whole) });
  yield JSON.stringify({ type: "turn_end", message: message(whole) });
}

/** omp's protocol v2, with pieces smaller than its own, so that there are many. */
function* chunked(line: string, id: string): Generator<string> {
  const bytes = Buffer.from(line);
  const size = 256 * 1024;
  if (bytes.length <= 1024 * 1024) return yield line;
  const count = Math.ceil(bytes.length / size);
  for (let index = 0; index < count; index++) {
    const data = bytes.subarray(index * size, (index + 1) * size).toString("base64");
    yield JSON.stringify({ type: "rpc_chunk", chunkId: id, index, count, byteLength: bytes.length, data });
  }
}

function stream(pieces: string[], { version }: { version: 1 | 2 }) {
  const harness = openHarness("omp");
  harness.translation.toWorker({ type: "prompt", id: "p", message: "go" });
  harness.answer("prompt");
  harness.write({ type: "agent_start" });
  const before = harness.bytes();
  // v1 cuts long texts; the delta itself stays whole.
  const elide = (whole: string) =>
    version === 2 || whole.length < 262_144
      ? whole
      : `${whole.slice(0, 262_144)}…[9 chars elided for RPC frame]`;
  let number = 0;
  for (const line of answerOf(pieces, elide)) {
    number++;
    if (version === 1) harness.write(line);
    else for (const piece of chunked(line, `rpc-${number}`)) harness.write(piece);
  }
  harness.write({ type: "agent_end", isTerminal: true }, { type: "session_settled" });
  const transcript = harness.emitted.reduce((folded, frame) => {
    const reading = readFrame(JSON.stringify(frame));
    return reading.kind === "frame" ? foldTranscript(folded, reading.frame) : folded;
  }, emptyTranscript);
  harness.translation.close();
  return { bytes: harness.bytes() - before, transcript };
}

describe("quadratic updates", () => {
  it.each([1, 2] as const)(
    "[O19] 1 MiB in protocol v%i: at most 1.3 bytes leave for each new one, and all of it arrives",
    (version) => {
      const pieces = Array.from({ length: 40 }, (_, index) => text(27_000) + String(index));
      const content = Buffer.byteLength(pieces.join(""));
      const { bytes, transcript } = stream(pieces, { version });
      expect(content).toBeGreaterThan(1024 * 1024);
      expect(bytes).toBeLessThan(1.3 * content);
      expect(transcript.messages.at(-1)?.role).toBe("assistant");
      expect(transcript.messages.map(messageText).at(-1)).toBe(pieces.join(""));
      expect(transcript.usage).toMatchObject({ output: 1, cost_usd: 0.01 });
    },
  );

  it("[O19] a short answer keeps the program's final message", () => {
    const { transcript } = stream(["a", "b"], { version: 2 });
    expect(transcript.messages.map(messageText).at(-1)).toBe("ab");
  });

  it("[O19] a delta is found without parsing, exactly as it stands", () => {
    for (const delta of [
      "",
      "plain",
      '"',
      "\\",
      '\\"',
      "\\\\",
      "\n\t",
      "\ud83d",
      '","contentIndex":9',
    ] as const) {
      const event = { type: "text_delta", contentIndex: 12, delta, partial: { text: delta } };
      const line = Buffer.from(JSON.stringify({ type: "message_update", assistantMessageEvent: event }));
      const found = findDelta(line);
      expect(typeof found === "object" && JSON.parse(found.json.toString())).toBe(delta);
      expect(found).toMatchObject({ kind: "text", block: 12 });
    }
    const cut = Buffer.from(
      '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"abc',
    );
    expect(findDelta(cut)).toBe("unclear");
    expect(findDelta(Buffer.from('{"type":"message_end"}'))).toBe("none");
  });

  it("[O19] pieces out of order, unreadable or too long are reported, and the next frame is read", () => {
    const chunks = new Chunks();
    const piece = (index: number, data: string, more = {}) =>
      Buffer.from(
        JSON.stringify({ type: "rpc_chunk", chunkId: "a", index, count: 2, byteLength: 8, data, ...more }),
      );
    expect(chunks.push(piece(1, "AAAA"))).toContain("out of order");
    expect(chunks.push(Buffer.from('{"type":"rpc_chunk","index":-1}'))).toContain("cannot be read");
    expect(chunks.push(piece(0, "AAAA", { byteLength: 1e9 }))).toContain("longer than is allowed");
    expect(chunks.push(piece(1, "AAAA", { byteLength: 1e9 }))).toBeNull();
    expect(chunks.push(piece(0, Buffer.from("abc").toString("base64")))).toBeNull();
    expect(chunks.push(piece(1, Buffer.from("def").toString("base64")))?.toString()).toBe("abcdef");
  });
});
