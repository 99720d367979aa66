// One raw segment file: append at the end, read from a frame's number. Keeps a sparse index of offsets,
// so that finding a frame reads at most one stretch and not the whole file.
import { closeSync, constants, fdatasync, ftruncateSync, openSync, read, writevSync } from "node:fs";
import { promisify } from "node:util";
import type { LogChunk } from "./session-log.ts";

const readFile = promisify(read);
const syncData = promisify(fdatasync);

/** One entry of the index per this many bytes: a seek reads no more than that before what it wants. */
const indexEvery = 64 * 1024;
const scanBytes = 1024 * 1024;
const LF = 10;
const appending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

export class Segment {
  readonly base: number;
  readonly path: string;
  readonly #fd: number;
  #bytes = 0;
  #frames = 0;
  /** Frame `seq` starts at `offset`. */
  #index: { seq: number; offset: number }[] = [];
  #readers = 0;
  #closed = false;

  private constructor(path: string, base: number, fd: number) {
    this.path = path;
    this.base = base;
    this.#fd = fd;
  }

  /** A new one, at once: a log must not grow between the decision where it begins and its beginning. */
  static create(path: string, base: number): Segment {
    return new Segment(path, base, openSync(path, appending | constants.O_EXCL, 0o600));
  }

  /** Counts the frames that are there and cuts off a last line that was never finished. */
  static async open(path: string, base: number): Promise<Segment> {
    const segment = new Segment(path, base, openSync(path, appending, 0o600));
    await segment.#scan();
    return segment;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lastSeq(): number {
    return this.base + this.#frames - 1;
  }

  /** All or nothing: what a full disk left half written is taken back before the error is passed on. */
  append(buffers: readonly Uint8Array[], frames: number): void {
    const wanted = buffers.reduce((sum, buffer) => sum + buffer.length, 0);
    try {
      const written = writevSync(this.#fd, buffers);
      if (written < wanted) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    } catch (error) {
      ftruncateSync(this.#fd, this.#bytes);
      throw error;
    }
    this.#note(this.base + this.#frames, this.#bytes);
    this.#frames += frames;
    this.#bytes += wanted;
  }

  async read(after: number, maxBytes: number): Promise<LogChunk | null> {
    if (after >= this.lastSeq) return null;
    this.#readers++; // until all of it is read: it may take several reads, and a descriptor is used again once closed
    try {
      return await this.#find(after, maxBytes);
    } finally {
      this.#readers--;
      if (this.#closed && this.#readers === 0) closeSync(this.#fd);
    }
  }

  async #find(after: number, maxBytes: number): Promise<LogChunk | null> {
    const start = this.#index.findLast((entry) => entry.seq <= after + 1) ?? { seq: this.base, offset: 0 };
    // What stands between the index entry and the wanted frame is read too, and then dropped.
    for (let length = maxBytes + indexEvery; ; length *= 4) {
      const bytes = await this.#bytesAt(start.offset, Math.min(length, this.#bytes - start.offset));
      const found = framesAfter(bytes, start.seq, after);
      if (found !== null) return found;
      if (bytes.length >= this.#bytes - start.offset) return null;
    }
  }

  /** The whole segment in pieces of whole lines. */
  async *pieces(): AsyncGenerator<LogChunk> {
    for (let after = this.base - 1; after < this.lastSeq; ) {
      const chunk = await this.read(after, scanBytes);
      if (chunk === null) return;
      yield chunk;
      after = chunk.seq + chunk.count - 1;
    }
  }

  sync(): Promise<void> {
    return syncData(this.#fd);
  }

  /** Closes when the last reader has finished. */
  close(): void {
    this.#closed = true;
    if (this.#readers === 0) closeSync(this.#fd);
  }

  async #bytesAt(offset: number, length: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await readFile(this.#fd, buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  }

  #note(seq: number, offset: number): void {
    const last = this.#index.at(-1);
    if (last === undefined || offset - last.offset >= indexEvery) this.#index.push({ seq, offset });
  }

  async #scan(): Promise<void> {
    const buffer = Buffer.allocUnsafe(scanBytes);
    let position = 0;
    for (;;) {
      const { bytesRead } = await readFile(this.#fd, buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      for (let at = 0; at < bytesRead; ) {
        const lf = buffer.subarray(0, bytesRead).indexOf(LF, at);
        if (lf === -1) break;
        this.#note(this.base + this.#frames, this.#bytes);
        this.#frames++;
        this.#bytes = position + lf + 1;
        at = lf + 1;
      }
      position += bytesRead;
    }
    if (this.#bytes < position) ftruncateSync(this.#fd, this.#bytes);
  }
}

/** The whole lines in `bytes` (the first is frame `first`) that come after frame `after`. */
function framesAfter(bytes: Uint8Array, first: number, after: number): LogChunk | null {
  let start = 0;
  for (let seq = first; seq <= after; seq++) {
    const lf = bytes.indexOf(LF, start);
    if (lf === -1) return null;
    start = lf + 1;
  }
  let end = start;
  let count = 0;
  for (let lf = bytes.indexOf(LF, end); lf !== -1; lf = bytes.indexOf(LF, end)) {
    count++;
    end = lf + 1;
  }
  return count === 0 ? null : { seq: after + 1, count, bytes: bytes.subarray(start, end) };
}
