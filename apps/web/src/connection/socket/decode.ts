// Decodes one WebSocket message. A `frames` header owns the lines that follow it, which
// are kept as text: whatever they contain, they are frames of the session and never lines of the server.
import {
  excerpt,
  explain,
  type FramesLine,
  type Response,
  readFrameValue,
  type ServerLine,
} from "@patchbay/protocol";
import { readServerLine } from "./read-snapshot.ts";

export type Decoded =
  | { kind: "line"; line: Exclude<ServerLine, { type: "frames" }> }
  | { kind: "frames"; seq: number; count: number; lines: string[]; streamed: boolean }
  | { kind: "response"; response: Response }
  | { kind: "malformed"; problem: string };

export function* decodeMessage(text: string): Generator<Decoded> {
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    const decoded = decodeLine(line);
    if (decoded.kind !== "header") {
      yield decoded;
      continue;
    }
    const { seq, count, merged, streamed } = decoded.header;
    const lineCount = merged === true ? 1 : count;
    const run = lines.slice(at + 1, at + 1 + lineCount);
    // The last piece of a split is the text after the final LF: never a line of a run.
    if (at + 1 + lineCount > lines.length - 1) {
      yield { kind: "malformed", problem: `a run of ${count} frames was cut off` };
      return;
    }
    yield { kind: "frames", seq, count, lines: run, streamed: streamed === true };
    at += lineCount;
  }
}

const kinds = "(?:text_delta|thinking_delta|tool_use_args|tool_progress)";
/** A message may have several headers. */
const streamed = new RegExp(`^\\{"type":"(?:frames|${kinds})"|"type":"${kinds}"\\}$`);

/** Whether a message only adds text to what is shown: told by how its lines begin or end, without reading them. */
export function isStreamedText(text: string): boolean {
  if (!text.startsWith('{"type":"frames"')) return false;
  for (let at = text.indexOf("\n") + 1; at > 0 && at < text.length; ) {
    const end = text.indexOf("\n", at);
    const ends = text.slice(Math.max(at, end - 40), Math.max(at, end));
    if (!streamed.test(text.slice(at, at + 40)) && !streamed.test(ends)) return false;
    at = end + 1;
  }
  return true;
}

function decodeLine(line: string): Decoded | { kind: "header"; header: FramesLine } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "malformed", problem: `not JSON: ${excerpt(line)}` };
  }
  const read = readServerLine(value);
  if (read.success) {
    return read.data.type === "frames"
      ? { kind: "header", header: read.data }
      : { kind: "line", line: read.data };
  }
  const frame = readFrameValue(value);
  if (frame.kind === "response") return { kind: "response", response: frame.response };
  return {
    kind: "malformed",
    problem: frame.kind === "malformed" ? frame.problem : explain(read.error),
  };
}
