// Bytes in, lines out, split on LF only. (Node's readline also splits on U+2028, which is legal
// inside a JSON string.) Chunks of an unfinished line are kept in a list and joined once, so a 64 MB
// line costs linear time; appending to one buffer per chunk would be quadratic.

export class LineTooLongError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`a line is longer than ${limit} bytes`);
    this.name = "LineTooLongError";
    this.limit = limit;
  }
}

const LF = 10;
const CR = 13;

export class LineSplitter {
  readonly #maxLineBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;

  constructor(options: { maxLineBytes: number }) {
    this.#maxLineBytes = options.maxLineBytes;
  }

  /**
   * The complete lines, with their LFs, that this chunk finishes: a line that began in an earlier chunk by
   * itself, because only that one must be copied, and the others together. A run may be a view of the chunk:
   * it is valid until the caller reuses that memory. After a LineTooLongError the stream has no more lines:
   * its writer has lost the framing.
   */
  pushRuns(chunk: Uint8Array): Uint8Array[] {
    const first = chunk.indexOf(LF);
    const unfinished = this.#pendingBytes + (first === -1 ? chunk.length : first);
    if (unfinished > this.#maxLineBytes) throw new LineTooLongError(this.#maxLineBytes);
    if (first === -1) {
      this.#keep(chunk);
      return [];
    }
    const end = chunk.lastIndexOf(LF) + 1;
    this.#checkWithin(chunk, first + 1, end);
    const runs: Uint8Array[] = [];
    const start = this.#pendingBytes === 0 ? 0 : first + 1;
    if (start > 0) runs.push(this.#join(chunk.subarray(0, start)));
    if (start < end) runs.push(end - start === chunk.length ? chunk : chunk.subarray(start, end));
    if (end < chunk.length) {
      if (chunk.length - end > this.#maxLineBytes) throw new LineTooLongError(this.#maxLineBytes);
      this.#keep(chunk.subarray(end));
    }
    return runs;
  }

  /** What came after the last LF: a final line without one is still a line. */
  end(): Uint8Array | null {
    return this.#pendingBytes === 0 ? null : this.#join(new Uint8Array(0));
  }

  /** The lines that begin and end in this chunk can be too long only if the chunk is longer than a line may be. */
  #checkWithin(chunk: Uint8Array, start: number, end: number): void {
    if (end - start <= this.#maxLineBytes) return;
    for (let at = start; at < end; ) {
      const lf = chunk.indexOf(LF, at);
      if (lf - at > this.#maxLineBytes) throw new LineTooLongError(this.#maxLineBytes);
      at = lf + 1;
    }
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    // A copy, because the caller may reuse the memory it read into. (A Buffer's own slice is none.)
    this.#pending.push(Uint8Array.prototype.slice.call(part));
    this.#pendingBytes += part.length;
  }

  #join(last: Uint8Array): Uint8Array {
    const joined = new Uint8Array(this.#pendingBytes + last.length);
    let at = 0;
    for (const part of this.#pending) {
      joined.set(part, at);
      at += part.length;
    }
    joined.set(last, at);
    this.#pending = [];
    this.#pendingBytes = 0;
    return joined;
  }
}

/** Each line of a run, without its LF (and without a CR before it). Blank lines are left out. */
export function* linesOf(run: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < run.length; ) {
    const lf = run.indexOf(LF, start);
    const next = lf === -1 ? run.length : lf + 1;
    let end = lf === -1 ? run.length : lf;
    if (end > start && run[end - 1] === CR) end--;
    if (!isBlank(run, start, end)) yield run.subarray(start, end);
    start = next;
  }
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte !== 32 && byte !== 9 && byte !== CR) return false;
  }
  return true;
}
