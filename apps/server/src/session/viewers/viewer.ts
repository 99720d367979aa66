// A viewer as the session sees it. The socket behind it is somebody else's business.
import type { ErrorCode } from "@patchbay/protocol";

/** One message: text, bytes, or bytes in several pieces, which need not be copied together. */
export type Payload = string | Uint8Array | readonly Uint8Array[];

export interface Viewer {
  /** Kept by the page across reconnects; the scope of its command ids. */
  readonly key: string;
  /** Resolves when the bytes have left this process. `hurry`: somebody waits for it, so it leaves when whoever says it is done. */
  send(message: Payload, hurry?: boolean): Promise<void>;
  /** Bytes handed over and not yet gone. */
  buffered(): number;
  close(code: ErrorCode): void;
}

export function sendLine(viewer: Viewer, line: object, hurry = false): void {
  void viewer.send(`${JSON.stringify(line)}\n`, hurry); // a send that fails has a close event of its own
}
