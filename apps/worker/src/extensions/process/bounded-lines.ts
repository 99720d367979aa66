// Lines of an extension, bounded in bytes: a longer one is reported and skipped, because the lines after it may
// be valid. (The protocol's own splitter gives up the whole stream instead.)

const LF = 10;

export class BoundedLines {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #skipping = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Each whole line without its LF; null stands for one that was too long. Blank lines are left out. */
  *push(chunk: Uint8Array): Generator<Uint8Array | null> {
    for (let start = 0; start < chunk.length; ) {
      const lf = chunk.indexOf(LF, start);
      const end = lf === -1 ? chunk.length : lf;
      this.#add(chunk.subarray(start, end));
      if (lf !== -1) yield* this.end();
      start = end + 1;
    }
  }

  /** What came after the last LF is a line too. */
  *end(): Generator<Uint8Array | null> {
    const line = this.#skipping ? null : Buffer.concat(this.#parts, this.#bytes);
    const empty = line !== null && line.every((byte) => byte === 32 || byte === 13 || byte === 9);
    this.#parts = [];
    this.#bytes = 0;
    this.#skipping = false;
    if (!empty) yield line;
  }

  #add(part: Uint8Array): void {
    if (this.#skipping || part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) {
      this.#skipping = true;
      this.#parts = [];
    } else this.#parts.push(part);
  }
}
