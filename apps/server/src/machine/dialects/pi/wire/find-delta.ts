// Finds the new text in a `message_update` without parsing the line. pi 0.74 and omp repeat the whole message twice
// in every update, after the delta: an answer of 1 MiB takes half a gigabyte, of which only the deltas are needed.

export interface FoundDelta {
  kind: "text" | "thinking" | "args";
  /** Which block of the message it belongs to. */
  block: number;
  /** The JSON string as it stands in the line, quotes included. */
  json: Buffer;
}

/** `ignored`: an update without new text. `unclear`: has to be parsed. `none`: not a message update. */
export type Finding = FoundDelta | "ignored" | "unclear" | "none";

const head = Buffer.from('{"type":"message_update",');
const event = Buffer.from('"assistantMessageEvent":{"type":"');
const index = Buffer.from('","contentIndex":');
const delta = Buffer.from(',"delta":"');

/** pi ≥ 0.84 writes the usage so far before the event: some 300 bytes. */
const longestLead = 2_048;
const QUOTE = 34;
const BACKSLASH = 92;

const kinds: ReadonlyMap<string, FoundDelta["kind"]> = new Map([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["toolcall_delta", "args"],
]);
const withoutDelta: ReadonlySet<string> = new Set([
  "start",
  "done",
  "error",
  "text_start",
  "text_end",
  "thinking_start",
  "thinking_end",
  "toolcall_end",
]);

export function findDelta(line: Buffer): Finding {
  if (!startsWith(line, head, 0)) return "none";
  const at = line.subarray(0, longestLead).indexOf(event, head.length);
  if (at === -1) return "unclear";
  const nameAt = at + event.length;
  const nameEnd = line.indexOf(QUOTE, nameAt);
  if (nameEnd === -1 || nameEnd - nameAt > 40) return "unclear";
  const name = line.toString("latin1", nameAt, nameEnd);
  if (withoutDelta.has(name)) return "ignored";
  const kind = kinds.get(name);
  if (kind === undefined || !startsWith(line, index, nameEnd)) return "unclear";
  let cursor = nameEnd + index.length;
  let block = 0;
  for (let digit = digitAt(line, cursor); digit !== -1; digit = digitAt(line, ++cursor))
    block = block * 10 + digit;
  if (!startsWith(line, delta, cursor)) return "unclear";
  const start = cursor + delta.length - 1;
  const end = stringEnd(line, start);
  return end === -1 ? "unclear" : { kind, block, json: line.subarray(start, end) };
}

const digitAt = (line: Buffer, at: number): number => {
  const byte = line[at] ?? 0;
  return byte >= 48 && byte <= 57 ? byte - 48 : -1;
};

function startsWith(line: Buffer, prefix: Buffer, at: number): boolean {
  if (line.length < at + prefix.length) return false;
  return line.compare(prefix, 0, prefix.length, at, at + prefix.length) === 0;
}

/** Returns where the string that opens at `start` ends: after a quote with an even number of backslashes before it. */
function stringEnd(line: Buffer, start: number): number {
  for (let quote = line.indexOf(QUOTE, start + 1); quote !== -1; quote = line.indexOf(QUOTE, quote + 1)) {
    let slashes = 0;
    while (line[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return -1;
}
