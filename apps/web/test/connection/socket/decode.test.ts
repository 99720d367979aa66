// What arrives on the session socket: headers own their lines, whatever these say.
import { describe, expect, it } from "vitest";
import { decodeMessage, isStreamedText } from "../../../src/connection/socket/decode.ts";

const decode = (text: string) => [...decodeMessage(text)];

describe("decodeMessage", () => {
  it("a header and its lines become one run, and what follows is a line again", () => {
    const lines = ['{"type":"text_delta","delta":"a"}', '{"type":"caught_up","seq":99}'];
    expect(
      decode(`{"type":"frames","seq":7,"count":2}\n${lines.join("\n")}\n{"type":"presence","viewers":2}\n`),
    ).toEqual([
      { kind: "frames", seq: 7, count: 2, lines, streamed: false },
      { kind: "line", line: { type: "presence", viewers: 2 } },
    ]);
  });

  it("merged frames are one line, whatever their number", () => {
    const line = '{"type":"text_delta","delta":"abc"}';
    expect(decode(`{"type":"frames","seq":7,"count":3,"merged":true}\n${line}\n`)).toEqual([
      { kind: "frames", seq: 7, count: 3, lines: [line], streamed: false },
    ]);
  });

  it("lines are split on LF only: U+2028 inside a string stays", () => {
    const line = '{"type":"text_delta","delta":"a\u2028b"}';
    expect(decode(`{"type":"frames","seq":1,"count":1}\n${line}\n`)).toEqual([
      { kind: "frames", seq: 1, count: 1, lines: [line], streamed: false },
    ]);
  });

  it("a run that is cut off is told, not applied in part", () => {
    expect(decode('{"type":"frames","seq":1,"count":3}\n{"type":"done"}\n')).toMatchObject([
      { kind: "malformed" },
    ]);
  });

  it("responses are told apart, and rubbish harms nothing after it", () => {
    expect(
      decode(
        'not json\n{"type":"frames","seq":-1,"count":0}\n{"type":"response","command":"ping","success":true,"id":"1"}\n',
      ),
    ).toMatchObject([
      { kind: "malformed" },
      { kind: "malformed" },
      { kind: "response", response: { id: "1" } },
    ]);
  });
});

describe("isStreamedText", () => {
  const message = (...lines: string[]) =>
    `{"type":"frames","seq":1,"count":${lines.length}}\n${lines.map((line) => `${line}\n`).join("")}`;
  const first = '{"type":"text_delta","delta":"a"}';
  const last = '{"delta":"b","type":"thinking_delta"}';

  it("[P260] messages that only add text are told by how their lines begin or end", () => {
    expect(isStreamedText(message(first, last))).toBe(true);
    expect(isStreamedText(message(first, '{"type":"tool_call","id":"1","name":"bash","args":{}}'))).toBe(
      false,
    );
    expect(isStreamedText(message('{"type":"done"}'))).toBe(false);
    expect(isStreamedText('{"type":"session","session":{}}\n')).toBe(false);
    // A text that ends like a delta is in quotes, and its quotes are escaped.
    const quoting = JSON.stringify({ type: "error", message: 'x","type":"text_delta"}' });
    expect(isStreamedText(message(quoting))).toBe(false);
  });
});
