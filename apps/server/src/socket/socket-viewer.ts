// A WebSocket as a viewer. Buffers are sent as text messages without being decoded.

import type { WebSocket } from "@fastify/websocket";
import { type ErrorCode, errorTable } from "@patchbay/protocol";
import type { Viewer } from "../session/viewer.ts";

/** After the close frame; a peer that does not read would otherwise keep its buffers alive. */
const closeWaitMs = 5_000;

/** More than this is not copied once more only to save a system call. */
const joinBytes = 64 * 1024;

export class SocketViewer implements Viewer {
  readonly key: string;
  readonly #socket: WebSocket;
  #said: (string | Uint8Array)[] = [];
  #saidBytes = 0;
  #sent: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #resolveSent: () => void = () => {};

  constructor(socket: WebSocket, key: string) {
    this.#socket = socket;
    this.key = key;
  }

  /** What is said in one turn of the event loop becomes one message: a message costs a system call. */
  send(message: string | Uint8Array): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    this.#said.push(message);
    this.#saidBytes += message.length;
    if (this.#sent === undefined) {
      this.#sent = this.#last = new Promise((resolve) => {
        this.#resolveSent = resolve;
      });
      setImmediate(() => this.#flush());
    }
    return this.#sent;
  }

  buffered(): number {
    return this.#socket.bufferedAmount + this.#saidBytes;
  }

  /** Everything said so far has left this process, or never will. */
  drained(): Promise<void> {
    return this.#last;
  }

  #flush(): void {
    if (this.#sent === undefined) return; // was sent before the socket was closed
    const resolve = this.#resolveSent;
    const messages = this.#saidBytes <= joinBytes ? [join(this.#said)] : this.#said;
    this.#said = [];
    this.#saidBytes = 0;
    this.#sent = undefined;
    // Sent in order, so the last one's callback speaks for all. An error here is followed by the socket's
    // close event, which ends the attachment.
    for (const message of messages.slice(0, -1)) this.#socket.send(message, { binary: false });
    this.#socket.send(messages.at(-1) ?? "", { binary: false }, () => resolve());
  }

  close(code: ErrorCode): void {
    this.#flush();
    closeSocket(this.#socket, code);
  }
}

function join(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return parts.every((part) => typeof part === "string")
    ? parts.join("")
    : Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
}

export function closeSocket(socket: WebSocket, code: ErrorCode): void {
  const kind = errorTable[code];
  socket.close("close" in kind ? kind.close : 1011, kind.sentence);
  const timer = setTimeout(() => socket.terminate(), closeWaitMs);
  socket.once("close", () => clearTimeout(timer));
}
