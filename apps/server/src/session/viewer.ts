// A viewer as the session sees it. The socket behind it is somebody else's business.
import type { ErrorCode } from "@patchbay/protocol";

/** One message: text, bytes, or bytes in several pieces, which need not be copied together. */
export type Message = string | Uint8Array | readonly Uint8Array[];

export interface Viewer {
  /** Kept by the page across reconnects; the scope of its command ids. */
  readonly key: string;
  /** Resolves when the bytes have left this process. */
  send(message: Message): Promise<void>;
  /** Somebody waits for what was said last: it leaves as soon as whoever said it is done. */
  hurry?(): void;
  /** Bytes handed over and not yet gone. */
  buffered(): number;
  close(code: ErrorCode): void;
}

/** The answer to a command. */
export function sendAnswer(viewer: Viewer, line: object): void {
  sendLine(viewer, line);
  viewer.hurry?.();
}

export function sendLine(viewer: Viewer, line: object): void {
  void viewer.send(`${JSON.stringify(line)}\n`); // a send that fails has a close event of its own
}
