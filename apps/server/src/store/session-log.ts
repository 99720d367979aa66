// The log of one session, as every store implements it: frames numbered from 1, appended, read back from any number. The bytes are
// what the worker wrote; the store does not interpret them.

/** `count` frames, the first numbered `seq`: whole lines, each ended by LF. */
export interface LogChunk {
  seq: number;
  count: number;
  bytes: Uint8Array;
}

/** `seq`: the number of its first frame; null: some numbers between `from` and `to` are missing. */
export type LogPiece =
  | { bytes: Uint8Array; seq: number }
  | { bytes: Uint8Array; seq: null; from: number; to: number };

/** Resolves when the deltas up to a number are no longer needed. */
export type AwaitRelease = (upTo: number) => Promise<void>;

export interface SessionLog {
  /** The number of the newest frame, committed or not. */
  readonly seq: number;
  /** The lowest number after which `read` has every frame. */
  readonly replayFloor: number;
  /** Resolves when the frames are committed: they survive the death of this process. */
  append(bytes: Uint8Array, count: number): Promise<void>;
  /** Committed frames after `after`, in order: at least one if there is any, about `maxBytes` in all. */
  read(after: number, maxBytes: number): Promise<LogChunk[]>;
  /** The whole log, oldest first. Finished turns may have lost their deltas, so numbers may be missing. */
  history(): AsyncIterable<LogPiece>;
  /** Called at the end of a turn: frames that replay no longer needs may lose their deltas. */
  settle(awaitRelease?: AwaitRelease): Promise<void>;
  close(): Promise<void>;
}
