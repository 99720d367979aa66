// One raw segment file: append at the end, read from a frame's number. Keeps a sparse index of offsets, so that
// finding a frame reads at most one stretch, and what lies between two entries need not be searched for line ends.
import { closeSync, constants, fdatasync, ftruncateSync, openSync, read, writev, writevSync } from "node:fs";
import { promisify } from "node:util";
import type { LogChunk } from "./session-log.ts";

const readFile = promisify(read);
const syncData = promisify(fdatasync);
const writeAll = promisify(writev);

/** Frames that were appended together. */
export interface Part {
  bytes: Uint8Array;
  count: number;
}

/** Frame `seq` starts at `offset`. */
interface Place {
  seq: number;
  offset: number;
}

/** One entry of the index per this many bytes or so: a seek reads no more than that before what it wants. */
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
  #index: Place[] = [];
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
  append(parts: readonly Part[]): void {
    try {
      const written = writevSync(this.#fd, bytesOf(parts));
      this.#appended(parts, written);
    } catch (error) {
      this.#takeBack();
      throw error;
    }
  }

  /** The same, by a thread of its own. Nothing else is appended meanwhile. */
  async appendAside(parts: readonly Part[]): Promise<void> {
    try {
      const { bytesWritten } = await writeAll(this.#fd, bytesOf(parts));
      this.#appended(parts, bytesWritten);
    } catch (error) {
      this.#takeBack();
      throw error;
    }
  }

  #appended(parts: readonly Part[], written: number): void {
    if (written < parts.reduce((sum, { bytes }) => sum + bytes.length, 0))
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    for (const { bytes, count } of parts) {
      this.#note();
      this.#frames += count;
      this.#bytes += bytes.length;
    }
  }

  #takeBack(): void {
    ftruncateSync(this.#fd, this.#bytes);
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

  async #find(after: number, maxBytes: number): Promise<LogChunk> {
    const wanted = after + 1;
    const from = this.#index.findLastIndex(({ seq }) => seq <= wanted);
    const start = this.#index[from] ?? { seq: this.base, offset: 0 };
    const end = this.#endFrom(from + 1, start.offset + maxBytes);
    const bytes = await this.#bytesAt(start.offset, end.offset - start.offset);
    // What stands between the index entry and the wanted frame is read too, and then dropped.
    return { seq: wanted, count: end.seq - wanted, bytes: afterLines(bytes, wanted - start.seq) };
  }

  /** Where to stop reading: at that entry of the index, or further on as far as `limit` allows. */
  #endFrom(entry: number, limit: number): Place {
    let end = this.#place(entry);
    for (let at = entry + 1; at <= this.#index.length && this.#place(at).offset <= limit; at++)
      end = this.#place(at);
    return end;
  }

  /** Behind the last entry comes the end of the file. */
  #place(entry: number): Place {
    return this.#index[entry] ?? { seq: this.lastSeq + 1, offset: this.#bytes };
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

  async #bytesAt(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await readFile(this.#fd, buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new Error(`${this.path} has lost its end`); // its frames could not be counted
      filled += bytesRead;
    }
    return buffer;
  }

  /** A frame begins where the file ends. */
  #note(): void {
    const last = this.#index.at(-1);
    if (last !== undefined && this.#bytes - last.offset < indexEvery) return;
    this.#index.push({ seq: this.base + this.#frames, offset: this.#bytes });
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
        this.#note();
        this.#frames++;
        this.#bytes = position + lf + 1;
        at = lf + 1;
      }
      position += bytesRead;
    }
    if (this.#bytes < position) ftruncateSync(this.#fd, this.#bytes);
  }
}

const bytesOf = (parts: readonly Part[]): Uint8Array[] => parts.map(({ bytes }) => bytes);

/** What follows the first `count` lines. */
function afterLines(bytes: Buffer, count: number): Uint8Array {
  let start = 0;
  for (let line = 0; line < count; line++) start = bytes.indexOf(LF, start) + 1;
  return bytes.subarray(start);
}
