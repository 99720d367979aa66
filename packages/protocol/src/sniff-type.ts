// Reads a frame's `type` from its first or last bytes, without parsing the line. Workers write the
// type first (ours, pi, omp) or last (zot: Go sorts keys, and `delta` < `type`); for any other line
// the answer is null, and the caller parses.

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

/** The frames that make up nearly all of a stream and change nothing but the text on the screen. */
export const deltaTypes = ["text_delta", "thinking_delta", "tool_use_args", "tool_progress"] as const;
export type DeltaType = (typeof deltaTypes)[number];

const heads = deltaTypes.map((type) => ({ type, bytes: ascii(`{"type":"${type}",`) }));
const tails = deltaTypes.map((type) => ({ type, bytes: ascii(`,"type":"${type}"}`) }));

const startsWith = (line: Uint8Array, start: number, end: number, head: Uint8Array): boolean => {
  if (end - start < head.length) return false;
  for (let i = 0; i < head.length; i++) if (line[start + i] !== head[i]) return false;
  return true;
};

const QUOTE = 34;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;

/**
 * The delta type of the line between `start` and `end`, or null when it must be parsed. A line with
 * its type last is trusted only if it opens with a key, because text inside a string may look like
 * a tail; the closing `"}` right after the type rules that out: a quote inside a string is escaped.
 */
export function sniffDelta(bytes: Uint8Array, start: number, end: number): DeltaType | null {
  if (bytes[start] !== BRACE_OPEN || bytes[start + 1] !== QUOTE || bytes[end - 1] !== BRACE_CLOSE)
    return null;
  for (const head of heads) if (startsWith(bytes, start, end, head.bytes)) return head.type;
  for (const tail of tails) if (startsWith(bytes, end - tail.bytes.length, end, tail.bytes)) return tail.type;
  return null;
}
