// One raw segment file: append at the end, read from a frame's number. A sparse index of offsets limits how much a seek has to
// read and search for line ends.
import { fdatasync, ftruncateSync, read, writev, writevSync } from "node:fs";
import { promisify } from "node:util";
import type { LogChunk } from "../session-log.ts";
import type { OpenFiles, OwnedFile } from "./open-files.ts";

const readFile = promisify(read);
const syncData = promisify(fdatasync);
const writeAll = promisify(writev);

/** Frames that were appended together. */
export interface Part {
  bytes: Uint8Array;
  count: number;
}

/** Frame `seq` starts at `offset`. */
interface IndexEntry {
  seq: number;
  offset: number;
}

/** The bytes between two index entries: a seek reads at most this much before the wanted frame. */
const indexEvery = 64 * 1024;
const scanBytes = 1024 * 1024;
const LF = 10;

export class Segment {
  readonly base: number;
  readonly #file: OwnedFile;
  #bytes = 0;
  #frames = 0;
  #index: IndexEntry[] = [];

  private constructor(file: OwnedFile, base: number) {
    this.#file = file;
    this.base = base;
  }

  /** Synchronous: no frame may be appended between the choice of `base` and the creation of the file. */
  static create(files: OpenFiles, path: string, base: number): Segment {
    return new Segment(files.create(path), base);
  }

  /** Counts the frames of the file, and removes an incomplete last line. */
  static async open(files: OpenFiles, path: string, base: number): Promise<Segment> {
    const segment = new Segment(files.file(path), base);
    await segment.#scan();
    return segment;
  }

  get path(): string {
    return this.#file.path;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get lastSeq(): number {
    return this.base + this.#frames - 1;
  }

  /** All or nothing: a partial write (a full disk) is truncated before the error is thrown. */
  append(parts: readonly Part[]): void {
    this.#file.useNow((descriptor) => {
      try {
        this.#appended(parts, writevSync(descriptor, bytesOf(parts)));
      } catch (error) {
        ftruncateSync(descriptor, this.#bytes);
        throw error;
      }
    });
  }

  /** The same in another thread. The caller appends nothing else meanwhile. */
  appendInThread(parts: readonly Part[]): Promise<void> {
    return this.#file.use(async (descriptor) => {
      try {
        this.#appended(parts, (await writeAll(descriptor, bytesOf(parts))).bytesWritten);
      } catch (error) {
        ftruncateSync(descriptor, this.#bytes);
        throw error;
      }
    });
  }

  #appended(parts: readonly Part[], written: number): void {
    if (written < parts.reduce((sum, { bytes }) => sum + bytes.length, 0))
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    for (const { bytes, count } of parts) {
      this.#addIndexEntry();
      this.#frames += count;
      this.#bytes += bytes.length;
    }
  }

  async read(after: number, maxBytes: number): Promise<LogChunk | null> {
    if (after >= this.lastSeq) return null;
    const wanted = after + 1;
    const from = this.#index.findLastIndex(({ seq }) => seq <= wanted);
    const start = this.#index[from] ?? { seq: this.base, offset: 0 };
    const end = this.#endFrom(from + 1, start.offset + maxBytes);
    const bytes = await this.#bytesAt(start.offset, end.offset - start.offset);
    // Frames between the index entry and the wanted frame are read too, and dropped.
    return { seq: wanted, count: end.seq - wanted, bytes: afterLines(bytes, wanted - start.seq) };
  }

  /** Returns where to stop reading: at this index entry, or at the last one within `limit`. */
  #endFrom(entry: number, limit: number): IndexEntry {
    let end = this.#entryAt(entry);
    for (let at = entry + 1; at <= this.#index.length && this.#entryAt(at).offset <= limit; at++)
      end = this.#entryAt(at);
    return end;
  }

  /** After the last entry: the end of the file. */
  #entryAt(entry: number): IndexEntry {
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
    return this.#file.use((descriptor) => syncData(descriptor));
  }

  /** A current read finishes first; a later one fails. */
  close(): void {
    this.#file.close();
  }

  #bytesAt(offset: number, length: number): Promise<Buffer> {
    return this.#file.use(async (descriptor) => {
      const buffer = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await readFile(descriptor, buffer, filled, length - filled, offset + filled);
        if (bytesRead === 0) throw new Error(`${this.path} has lost its end`); // something truncated the file
        filled += bytesRead;
      }
      return buffer;
    });
  }

  /** Adds an index entry for the next frame if the last entry is far enough. */
  #addIndexEntry(): void {
    const last = this.#index.at(-1);
    if (last !== undefined && this.#bytes - last.offset < indexEvery) return;
    this.#index.push({ seq: this.base + this.#frames, offset: this.#bytes });
  }

  #scan(): Promise<void> {
    return this.#file.use((descriptor) => this.#scanFile(descriptor));
  }

  async #scanFile(descriptor: number): Promise<void> {
    const buffer = Buffer.allocUnsafe(scanBytes);
    let position = 0;
    for (;;) {
      const { bytesRead } = await readFile(descriptor, buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      for (let at = 0; at < bytesRead; ) {
        const lf = buffer.subarray(0, bytesRead).indexOf(LF, at);
        if (lf === -1) break;
        this.#addIndexEntry();
        this.#frames++;
        this.#bytes = position + lf + 1;
        at = lf + 1;
      }
      position += bytesRead;
    }
    if (this.#bytes < position) ftruncateSync(descriptor, this.#bytes);
  }
}

const bytesOf = (parts: readonly Part[]): Uint8Array[] => parts.map(({ bytes }) => bytes);

/** Returns the bytes after the first `count` lines. */
function afterLines(bytes: Buffer, count: number): Uint8Array {
  let start = 0;
  for (let line = 0; line < count; line++) start = bytes.indexOf(LF, start) + 1;
  return bytes.subarray(start);
}
