// The log of one session in append-only files: raw segments for replay, settled files for older frames. Files measured five times
// the speed of database rows (bench/RESULTS.md); both survive kill -9.
import { mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { AwaitRelease, LogChunk, LogPiece, SessionLog } from "../session-log.ts";
import type { LogWriter } from "./log-writer.ts";
import type { OpenFiles } from "./open-files.ts";
import { type Part, Segment } from "./segment.ts";
import { rawSegmentPath, readNames, replaced, type SettledName, settledPath } from "./segments.ts";
import { SettledFrames } from "./settled-frames.ts";

const syncDelayMs = 1_000;

/** Resolves when a batch of frames is written. */
interface Commit {
  promise: Promise<void>;
  resolve: () => void;
}

export class FileLog implements SessionLog {
  readonly #directory: string;
  readonly #files: OpenFiles;
  readonly #writer: LogWriter;
  readonly #segmentBytes: number;
  #settled: SettledName[] = [];
  /** Oldest first. Frames are appended to the last one. */
  #segments: Segment[] = [];
  #seq = 0;
  #waiting: Part[] = [];
  /** Resolves when `#waiting` is written. */
  #commit: Commit | undefined;
  /** The current write; never rejects. */
  #writing: Promise<unknown> | undefined;
  #settling: Promise<void> | undefined;
  #syncing: NodeJS.Timeout | undefined;

  private constructor(directory: string, files: OpenFiles, writer: LogWriter, segmentBytes: number) {
    this.#directory = directory;
    this.#files = files;
    this.#writer = writer;
    this.#segmentBytes = segmentBytes;
  }

  static async open(
    directory: string,
    files: OpenFiles,
    writer: LogWriter,
    segmentBytes: number,
  ): Promise<FileLog> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const log = new FileLog(directory, files, writer, segmentBytes);
    await log.#load();
    return log;
  }

  get seq(): number {
    return this.#seq;
  }

  get replayFloor(): number {
    return (this.#segments[0]?.base ?? 1) - 1;
  }

  append(bytes: Uint8Array, count: number): Promise<void> {
    this.#waiting.push({ bytes, count });
    this.#seq += count;
    this.#commit ??= newCommit();
    this.#writer.add(this, bytes.length);
    return this.#commit.promise;
  }

  /** Called by the writer. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#current().append(this.#waiting);
    this.#waiting = [];
    const commit = this.#commit;
    this.#commit = undefined;
    commit?.resolve();
  }

  /** Called by the writer, which makes no other call until it is done. */
  async write(): Promise<void> {
    const parts = this.#waiting;
    const commit = this.#commit;
    this.#waiting = [];
    this.#commit = undefined;
    try {
      const writing = this.#current().appendInThread(parts);
      this.#writing = writing.catch(() => {}); // the error is thrown below
      await writing;
    } catch (error) {
      const later = this.#commit as Commit | undefined; // of frames that were appended meanwhile
      this.#waiting = [...parts, ...this.#waiting];
      this.#commit = commit && {
        promise: commit.promise,
        resolve: () => {
          commit.resolve();
          later?.resolve();
        },
      };
      throw error;
    } finally {
      this.#writing = undefined;
    }
    commit?.resolve();
  }

  async read(after: number, maxBytes: number): Promise<LogChunk[]> {
    const segment = this.#segments.findLast((candidate) => candidate.base <= after + 1);
    const chunk = await segment?.read(after, maxBytes);
    return chunk === undefined || chunk === null ? [] : [chunk];
  }

  async *history(): AsyncGenerator<LogPiece> {
    for (const { from, to } of this.#settled) {
      yield { bytes: await readFile(settledPath(this.#directory, from, to)), seq: null, from, to };
    }
    for (const segment of this.#segments) {
      for await (const { bytes, seq } of segment.pieces()) yield { bytes, seq };
    }
  }

  /** Starts a new segment when the current one is full, and settles all but the newest full one. */
  async settle(awaitRelease: AwaitRelease = async () => {}): Promise<void> {
    this.#syncSoon();
    if (this.#current().bytes < this.#segmentBytes || this.#isUnwritten) return;
    this.#settling ??= this.#startSegment(awaitRelease).finally(() => {
      this.#settling = undefined;
    });
    await this.#settling;
  }

  async #startSegment(awaitRelease: AwaitRelease): Promise<void> {
    const full = this.#current();
    const base = full.lastSeq + 1;
    await full.sync(); // in a power cut, the next segment must not survive without this one
    if (full.lastSeq + 1 !== base || this.#isUnwritten) return; // frames were appended: the next settle tries again
    this.#segments.push(Segment.create(this.#files, rawSegmentPath(this.#directory, base), base));
    await this.#settleOld(awaitRelease);
  }

  /** Makes a finished turn survive a power cut. Delayed, because a disk cannot sync more often. */
  #syncSoon(): void {
    this.#syncing ??= setTimeout(() => {
      this.#syncing = undefined;
      this.#current()
        .sync()
        .catch(() => {}); // the next write fails too, and reports it
    }, syncDelayMs).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#syncing);
    await this.#settling;
    while (this.#writing !== undefined) await this.#writing;
    if (this.#waiting.length > 0) this.#writer.flushNow(this);
    await this.#current().sync();
    for (const segment of this.#segments) segment.close();
  }

  get #isUnwritten(): boolean {
    return this.#waiting.length > 0 || this.#writing !== undefined;
  }

  #current(): Segment {
    const segment = this.#segments.at(-1);
    if (segment === undefined) throw new Error("a log always has a segment");
    return segment;
  }

  async #load(): Promise<void> {
    const { raw, settled } = readNames(await readdir(this.#directory));
    const done = new Set(replaced(raw, settled));
    for (const { base } of done) await unlink(rawSegmentPath(this.#directory, base));
    this.#settled = settled;
    for (const { base } of raw.filter((name) => !done.has(name))) {
      this.#segments.push(await Segment.open(this.#files, rawSegmentPath(this.#directory, base), base));
    }
    const first = (settled.at(-1)?.to ?? 0) + 1;
    if (this.#segments.length === 0)
      this.#segments.push(Segment.create(this.#files, rawSegmentPath(this.#directory, first), first));
    this.#checkNumbers(first);
    this.#seq = this.#current().lastSeq;
  }

  /** Each file must start where the one before it ended. A gap means that a file was removed. */
  #checkNumbers(first: number): void {
    let expected = first;
    for (const segment of this.#segments) {
      if (segment.base !== expected) {
        throw new Error(`the log in ${this.#directory} lacks the frames ${expected} to ${segment.base - 1}`);
      }
      expected = segment.lastSeq + 1;
    }
  }

  async #settleOld(awaitRelease: AwaitRelease): Promise<void> {
    // The newest full segment stays raw, so that a viewer that has just lost its socket can replay.
    while (this.#segments.length > 2) {
      const segment = this.#segments[0];
      if (segment === undefined) return;
      const name: SettledName = { kind: "settled", from: segment.base, to: segment.lastSeq };
      await awaitRelease(name.to);
      await this.#writeSettled(segment, name);
      this.#segments.shift();
      this.#settled.push(name);
      segment.close();
      await unlink(segment.path);
    }
  }

  /** Writes a draft and renames it: a settled file is complete or absent. */
  async #writeSettled(segment: Segment, { from, to }: SettledName): Promise<void> {
    const draft = join(this.#directory, "draft");
    const file = await open(draft, "w", 0o600);
    try {
      const frames = new SettledFrames();
      for await (const { bytes } of segment.pieces()) frames.scan(bytes);
      frames.rewind();
      for await (const { bytes } of segment.pieces()) await file.write(frames.filter(bytes));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, settledPath(this.#directory, from, to));
  }
}

function newCommit(): Commit {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
