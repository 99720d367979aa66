// Numbers frames, appends them to the log, and only then shows them: what a viewer has seen is in the
// log. Lines without a number keep their place between frames by waiting behind the same appends.
import type { LetsGo, LogChunk, SessionLog } from "../../store/session-log.ts";

/** Frames that follow one another, as they were appended. */
export interface Frames {
  seq: number;
  count: number;
  parts: Uint8Array[];
  /** Whose memory the parts are: each is told when nobody needs it any more. */
  lenders: (() => void)[];
}

/** What one commit brings is shown together, up to here: a message must stay small enough to be bounded. */
const togetherBytes = 256 * 1024;

export class Journal {
  readonly #log: SessionLog;
  readonly #shownTo: (frames: Frames) => void;
  readonly #failed: (error: unknown) => void;
  #shown: number;
  #unshownBytes = 0;
  #tail: Promise<void> = Promise.resolve();
  /** Appended last, and not yet committed; nothing waits behind it. */
  #open: { commit: Promise<void>; frames: Frames; bytes: number } | undefined;

  /** `shown` is called with frames once they are committed; `failed` when that, or something that waited, throws. */
  constructor(log: SessionLog, shown: (frames: Frames) => void, failed: (error: unknown) => void) {
    this.#log = log;
    this.#shown = log.seq;
    this.#shownTo = shown;
    this.#failed = failed;
  }

  /** The number of the newest frame, committed or not. */
  get seq(): number {
    return this.#log.seq;
  }

  /** The number of the newest frame that viewers may see. */
  get shownSeq(): number {
    return this.#shown;
  }

  get replayFloor(): number {
    return this.#log.replayFloor;
  }

  /** What has been appended and is not yet committed. */
  get unshownBytes(): number {
    return this.#unshownBytes;
  }

  /** The bytes stay as they are until `giveBack` is called. */
  append(bytes: Uint8Array, count: number, giveBack?: () => void): void {
    const seq = this.#log.seq + 1;
    const commit = this.#log.append(bytes, count);
    this.#unshownBytes += bytes.length;
    const open = this.#open;
    if (open !== undefined && open.commit === commit && open.bytes < togetherBytes) {
      open.frames.parts.push(bytes);
      if (giveBack !== undefined) open.frames.lenders.push(giveBack);
      open.frames.count += count;
      open.bytes += bytes.length;
      return;
    }
    const lenders = giveBack === undefined ? [] : [giveBack];
    const opened = { commit, frames: { seq, count, parts: [bytes], lenders }, bytes: bytes.length };
    this.#open = opened;
    this.#tail = Promise.all([this.#tail, commit]).then(() => this.#run(() => this.#show(opened)));
  }

  #show(opened: { frames: Frames; bytes: number }): void {
    if (this.#open === opened) this.#open = undefined;
    this.#unshownBytes -= opened.bytes;
    this.#shown = opened.frames.seq + opened.frames.count - 1;
    this.#shownTo(opened.frames);
  }

  /** Runs when everything appended so far has been shown. */
  after(action: () => void): void {
    this.#open = undefined;
    this.#tail = this.#tail.then(() => this.#run(action));
  }

  /** What comes after it must not wait for ever. */
  #run(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Called while a run is being read: `action` waits for the frames of that very run, too. */
  afterThisRun(action: () => void): void {
    queueMicrotask(() => this.after(action));
  }

  /** Resolves when everything appended so far has been shown. */
  flushed(): Promise<void> {
    return this.#tail;
  }

  async read(after: number, maxBytes: number): Promise<LogChunk[]> {
    return this.#log.read(after, maxBytes);
  }

  /** Like `read`, but waits for frames that are not committed yet. */
  async readCommitted(after: number, maxBytes: number): Promise<LogChunk[]> {
    if (after >= this.#shown) await this.#tail;
    return this.#log.read(after, maxBytes);
  }

  settle(letsGo: LetsGo): Promise<void> {
    return this.#log.settle(letsGo);
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#log.close();
  }
}
