// Reads a frame's `type` from its first or last bytes, without parsing the line. Workers write the
// type first (ours, pi, omp) or last (zot: Go sorts keys, and `delta` < `type`); for any other line
// the answer is null, and the caller parses. Bytes are compared four at a time and without a loop, which
// costs less than half of what a loop does: this is done for every frame there is.

/** The frames that make up nearly all of a stream and change nothing but the text on the screen. */
export const deltaTypes = ["text_delta", "thinking_delta", "tool_use_args", "tool_progress"] as const;
export type DeltaType = (typeof deltaTypes)[number];

/** Its bytes as words, which may overlap: the first five, and the last two. */
interface Pattern {
  type: DeltaType;
  bytes: number;
  at0: number;
  at4: number;
  at8: number;
  at12: number;
  at16: number;
  lastButOne: number;
  last: number;
}

function pattern(type: DeltaType, text: string): Pattern {
  const bytes = text.length;
  if (bytes < 20 || bytes > 28) throw new RangeError(`${text}: its words would not cover it`);
  const view = new DataView(Uint8Array.from(text, (char) => char.charCodeAt(0)).buffer);
  const at = (offset: number): number => view.getInt32(offset, true);
  return {
    type,
    bytes,
    at0: at(0),
    at4: at(4),
    at8: at(8),
    at12: at(12),
    at16: at(16),
    lastButOne: at(bytes - 8),
    last: at(bytes - 4),
  };
}

const heads = deltaTypes.map((type) => pattern(type, `{"type":"${type}",`));
const tails = deltaTypes.map((type) => pattern(type, `,"type":"${type}"}`));

const QUOTE = 34;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;

/** For many lines in one buffer. */
export class DeltaSniffer {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /**
   * The delta type of the line between `start` and `end`, or null when it must be parsed. A line with
   * its type last is trusted only if it opens with a key, because text inside a string may look like
   * a tail; the closing `"}` right after the type rules that out: a quote inside a string is escaped.
   */
  at(start: number, end: number): DeltaType | null {
    const bytes = this.#bytes;
    if (bytes[start] !== BRACE_OPEN || bytes[start + 1] !== QUOTE || bytes[end - 1] !== BRACE_CLOSE)
      return null;
    for (const head of heads) {
      if (head.bytes <= end - start && this.#matches(head, start)) return head.type;
    }
    for (const tail of tails) {
      if (tail.bytes < end - start && this.#matches(tail, end - tail.bytes)) return tail.type;
    }
    return null;
  }

  #matches(pattern: Pattern, at: number): boolean {
    const view = this.#view;
    const end = at + pattern.bytes;
    return (
      view.getInt32(at + 8, true) === pattern.at8 && // the first in which types differ
      view.getInt32(at, true) === pattern.at0 &&
      view.getInt32(at + 4, true) === pattern.at4 &&
      view.getInt32(at + 12, true) === pattern.at12 &&
      view.getInt32(at + 16, true) === pattern.at16 &&
      view.getInt32(end - 8, true) === pattern.lastButOne &&
      view.getInt32(end - 4, true) === pattern.last
    );
  }
}

/** For a single line. */
export const sniffDelta = (bytes: Uint8Array, start: number, end: number): DeltaType | null =>
  new DeltaSniffer(bytes).at(start, end);
