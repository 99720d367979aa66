// The one order of events of a session: frames are numbered and appended to the log, then interpreted with their numbers,
// then shown when they are written. So every frame that a viewer has seen is in the log.
// Frames of the server's own that a run of lines leads to follow that run. Lines without a number keep their place between
// frames by waiting behind the same appends.
import type { Frame } from "@patchbay/protocol";
import type { AwaitRelease, LogChunk, SessionLog } from "../../store/session-log.ts";

/** Frames that follow one another, as they were appended. */
export interface Frames {
  seq: number;
  count: number;
  parts: Uint8Array[];
  /** Called when the parts are no longer needed: the reader uses their memory again. */
  releases: (() => void)[];
}

/** What a segment of lines holds, in order. `index` counts from the segment's first frame. */
export type SegmentItem =
  | { kind: "frame"; index: number; frame: Frame }
  /** Deltas only add text to the screen, and are not parsed. `answerBytes`: about how much of it the model wrote. */
  | { kind: "deltas"; index: number; count: number; answerBytes: number };

/** Interprets what was appended. Called in the order of the log. */
export interface FrameSubscriber {
  frame?(frame: Frame, seq: number): void;
  /** Deltas are the `count` frames after number `after`. */
  deltas?(after: number, count: number, answerBytes: number): void;
}

/** Frames of one commit are shown together, up to here: a message must stay bounded. */
const togetherBytes = 256 * 1024;

export class Journal {
  readonly #log: SessionLog;
  readonly #report: (error: unknown) => void;
  readonly #subscribers: FrameSubscriber[] = [];
  #show: (frames: Frames) => void = ({ releases }) => {
    for (const release of releases) release();
  };
  #shownSeq: number;
  #unshownBytes = 0;
  #tail: Promise<void> = Promise.resolve();
  /** The newest frames, not yet committed; frames of the same commit are added to them. */
  #open: { commit: Promise<void>; frames: Frames; bytes: number } | undefined;
  /** Above zero while lines are read or interpreted. */
  #depth = 0;
  /** Actions to run after the lines that are being read. */
  readonly #followUps: (() => void)[] = [];
  #isFollowingUp = false;

  /** `report` gets errors of deferred actions: an error must not block those that follow. */
  constructor(log: SessionLog, report: (error: unknown) => void) {
    this.#log = log;
    this.#shownSeq = log.seq;
    this.#report = report;
  }

  /** Subscribers are called in the order in which they subscribed. Returns a function that unsubscribes. */
  subscribe(subscriber: FrameSubscriber): () => void {
    this.#subscribers.push(subscriber);
    return () => {
      this.#subscribers.splice(this.#subscribers.indexOf(subscriber), 1);
    };
  }

  /** `show` gets frames once they are committed. */
  showTo(show: (frames: Frames) => void): void {
    this.#show = show;
  }

  /** The number of the newest frame, committed or not. */
  get seq(): number {
    return this.#log.seq;
  }

  /** The number of the newest frame that viewers may see. */
  get shownSeq(): number {
    return this.#shownSeq;
  }

  get replayFloor(): number {
    return this.#log.replayFloor;
  }

  /** Bytes that are appended and not yet committed. */
  get unshownBytes(): number {
    return this.#unshownBytes;
  }

  /** Reads a run of lines with `read`, then runs the actions that it led to. */
  readRun(read: () => void): void {
    this.#depth++;
    try {
      read();
    } finally {
      this.#depth--;
      this.#followUp();
    }
  }

  /**
   * Numbers and appends a segment of lines, interprets its frames with their numbers, and shows it when it is written.
   * The bytes must not change until `release` is called.
   */
  append(bytes: Uint8Array, count: number, items: readonly SegmentItem[], release?: () => void): void {
    const first = this.#log.seq + 1;
    const written = this.#log.append(bytes, count);
    this.#showWhenWritten({ seq: first, count, parts: [bytes], releases: release ? [release] : [] }, written);
    this.readRun(() => {
      for (const item of items) this.#interpret(item, first + item.index);
    });
  }

  /** A frame of the server's own, numbered and interpreted like any other; it follows the run that is being read. */
  appendOwn(frame: Frame): void {
    this.afterRun(() =>
      this.append(Buffer.from(`${JSON.stringify(frame)}\n`), 1, [{ kind: "frame", index: 0, frame }]),
    );
  }

  /** Runs at once, or when the run that is being read has been interpreted to its end. */
  afterRun(action: () => void): void {
    if (this.#depth === 0) action();
    else this.#followUps.push(action);
  }

  /** Runs when everything appended so far has been shown. */
  afterShown(action: () => void): void {
    this.#open = undefined;
    this.#tail = this.#tail.then(() => this.#run(action));
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
    if (after >= this.#shownSeq) await this.#tail;
    return this.#log.read(after, maxBytes);
  }

  settle(awaitRelease: AwaitRelease): Promise<void> {
    return this.#log.settle(awaitRelease);
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#log.close();
  }

  #interpret(item: SegmentItem, seq: number): void {
    for (const subscriber of this.#subscribers) {
      if (item.kind === "frame") subscriber.frame?.(item.frame, seq);
      else subscriber.deltas?.(seq - 1, item.count, item.answerBytes);
    }
  }

  #followUp(): void {
    if (this.#depth > 0 || this.#isFollowingUp) return;
    this.#isFollowingUp = true;
    for (let next = this.#followUps.shift(); next !== undefined; next = this.#followUps.shift())
      this.#run(next);
    this.#isFollowingUp = false;
  }

  #showWhenWritten(frames: Frames, commit: Promise<void>): void {
    const bytes = frames.parts.reduce((sum, part) => sum + part.length, 0);
    this.#unshownBytes += bytes;
    const open = this.#open;
    if (open !== undefined && open.commit === commit && open.bytes < togetherBytes) {
      open.frames.parts.push(...frames.parts);
      open.frames.releases.push(...frames.releases);
      open.frames.count += frames.count;
      open.bytes += bytes;
      return;
    }
    const opened = { commit, frames, bytes };
    this.#open = opened;
    this.#tail = Promise.all([this.#tail, commit]).then(() =>
      this.#run(() => {
        if (this.#open === opened) this.#open = undefined;
        this.#unshownBytes -= opened.bytes;
        this.#shownSeq = frames.seq + frames.count - 1;
        this.#show(frames);
      }),
    );
  }

  #run(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#report(error);
    }
  }
}
