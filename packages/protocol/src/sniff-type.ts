// Reads a frame's `type` from its first or last bytes, without parsing the line. Workers write the
// type first (ours, pi, omp) or last (zot: Go sorts keys, and `delta` < `type`); for any other line
// the answer is null, and the caller parses. Bytes are compared four at a time: this is done for every
// frame there is, and costs a seventh of comparing them one by one.

/** The frames that make up nearly all of a stream and change nothing but the text on the screen. */
export const deltaTypes = ["text_delta", "thinking_delta", "tool_use_args", "tool_progress"] as const;
export type DeltaType = (typeof deltaTypes)[number];

interface Pattern {
  type: DeltaType;
  bytes: number;
  words: readonly number[];
  /** The last four bytes, which may overlap the last of `words`. */
  last: number;
}

function pattern(type: DeltaType, text: string): Pattern {
  const view = new DataView(Uint8Array.from(text, (char) => char.charCodeAt(0)).buffer);
  const words = Array.from({ length: text.length >> 2 }, (_, index) => view.getUint32(index * 4, true));
  return { type, bytes: text.length, words, last: view.getUint32(text.length - 4, true) };
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

  #matches({ bytes, words, last }: Pattern, at: number): boolean {
    const view = this.#view;
    if (view.getUint32(at + bytes - 4, true) !== last) return false;
    for (let index = 0; index < words.length; index++) {
      if (view.getUint32(at + index * 4, true) !== words[index]) return false;
    }
    return true;
  }
}

/** For a single line. */
export const sniffDelta = (bytes: Uint8Array, start: number, end: number): DeltaType | null =>
  new DeltaSniffer(bytes).at(start, end);
