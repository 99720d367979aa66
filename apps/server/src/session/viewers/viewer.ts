// A viewer as the session sees it. `sockets/` implements it.
import type { Author, ErrorCode } from "@patchbay/protocol";

/** One message: text, bytes, or bytes in several pieces, which need not be copied together. */
export type Payload = string | Uint8Array | readonly Uint8Array[];

export interface Viewer {
  /** Kept by the page across reconnects; the scope of its command ids. */
  readonly key: string;
  /** Whose it is, for those who read what was decided. */
  readonly author: Author;
  /** It asked for the deltas of a moment as one delta. */
  readonly mergesDeltas?: boolean;
  /** Resolves when the bytes have left this process. `urgent`: sent after the current callback, not at the end of the event-loop turn. */
  send(message: Payload, urgent?: boolean): Promise<void>;
  /** Bytes that were accepted and have not left this process. */
  buffered(): number;
  close(code: ErrorCode): void;
}

export function sendLine(viewer: Viewer, line: object, urgent = false): void {
  void viewer.send(`${JSON.stringify(line)}\n`, urgent); // a send that fails has a close event of its own
}
