// A viewer as the session sees it. The socket behind it is somebody else's business.
import type { ErrorCode } from "@patchbay/protocol";

export interface Viewer {
  /** Kept by the page across reconnects; the scope of its command ids. */
  readonly key: string;
  /** Resolves when the bytes have left this process. */
  send(message: string | Uint8Array): Promise<void>;
  /** Bytes handed over and not yet gone. */
  buffered(): number;
  close(code: ErrorCode): void;
}

export function sendLine(viewer: Viewer, line: object): void {
  void viewer.send(`${JSON.stringify(line)}\n`); // a send that fails has a close event of its own
}
