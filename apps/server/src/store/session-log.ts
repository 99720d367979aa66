// The log of one session, as every store keeps it: frames numbered from 1, appended, read back from any number.
// Bytes are what the worker wrote; nobody behind this reads them.

/** `count` frames, the first numbered `seq`: whole lines, each ended by LF. */
export interface LogChunk {
  seq: number;
  count: number;
  bytes: Uint8Array;
}

/** `seq`: the number of its first frame; null where numbers jump, which lie from `from` to `to`. */
export type LogPiece =
  | { bytes: Uint8Array; seq: number }
  | { bytes: Uint8Array; seq: null; from: number; to: number };

/** Resolves when the deltas up to a number are needed no more. */
export type LetsGo = (upTo: number) => Promise<void>;

export interface SessionLog {
  /** The number of the newest frame, committed or not. */
  readonly seq: number;
  /** The lowest number from which `read` still has everything. */
  readonly replayFloor: number;
  /** Resolves when the frames are committed: they survive the death of this process. */
  append(bytes: Uint8Array, count: number): Promise<void>;
  /** Committed frames after `after`, in order: at least one if there is any, about `maxBytes` in all. */
  read(after: number, maxBytes: number): Promise<LogChunk[]>;
  /** All that is left of the log, oldest first. Finished turns may have lost their deltas: there, numbers jump. */
  history(): AsyncIterable<LogPiece>;
  /** A turn is over: what is no longer needed for replay may lose its deltas. */
  settle(letsGo?: LetsGo): Promise<void>;
  close(): Promise<void>;
}
