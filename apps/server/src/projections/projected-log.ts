// What projections need of a session's log.
import type { Frame } from "@patchbay/protocol";
import type { LogChunk } from "../store/session-log.ts";
import type { SessionRecord } from "../store/session-record.ts";

export interface ProjectedLog {
  /** The number of the newest frame. */
  readonly seq: number;
  /** A frame of the server's own; it follows the run of lines that is being read. */
  appendOwn(frame: Frame): void;
  /** Runs when the run that is being read has been interpreted to its end. */
  afterRun(action: () => void): void;
  /** Runs when everything appended so far has been written and shown. */
  afterShown(action: () => void): void;
  read(after: number, maxBytes: number): Promise<LogChunk[]>;
}

/** The session's record as it is now. */
export interface RecordSource {
  readonly current: SessionRecord;
}
