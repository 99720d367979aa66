// A WebSocket as a viewer. Buffers are sent as text messages without being decoded.

import type { WebSocket } from "@fastify/websocket";
import { type ErrorCode, errorTable } from "@patchbay/protocol";
import type { Viewer } from "../session/viewer.ts";

/** After the close frame; a peer that does not read would otherwise keep its buffers alive. */
const closeWaitMs = 5_000;

export class SocketViewer implements Viewer {
  readonly key: string;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, key: string) {
    this.#socket = socket;
    this.key = key;
  }

  send(message: string | Uint8Array): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      // An error here is followed by the socket's close event, which ends the attachment.
      this.#socket.send(message, { binary: false }, () => resolve());
    });
  }

  buffered(): number {
    return this.#socket.bufferedAmount;
  }

  close(code: ErrorCode): void {
    closeSocket(this.#socket, code);
  }
}

export function closeSocket(socket: WebSocket, code: ErrorCode): void {
  const kind = errorTable[code];
  socket.close("close" in kind ? kind.close : 1011, kind.sentence);
  const timer = setTimeout(() => socket.terminate(), closeWaitMs);
  socket.once("close", () => clearTimeout(timer));
}
