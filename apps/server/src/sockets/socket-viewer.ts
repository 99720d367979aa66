// A WebSocket as a viewer. Buffers are sent as text messages without being decoded.

import type { Socket } from "node:net";
import type { WebSocket } from "@fastify/websocket";
import { type Author, type ErrorCode, errorTable } from "@patchbay/protocol";
import { textFrame } from "../fast-io/text-frame.ts";
import type { Payload, Viewer } from "../session/viewers/viewer.ts";

/** How long the server waits after the close frame. A peer that does not read would otherwise keep its buffers allocated. */
const closeWaitMs = 5_000;

const asText = { binary: false } as const;

/** Larger batches are not joined: the copy would cost more than the saved system call. */
const joinBytes = 64 * 1024;

export class SocketViewer implements Viewer {
  readonly key: string;
  readonly author: Author;
  readonly mergesDeltas: boolean;
  readonly #socket: WebSocket;
  readonly #stream: Socket;
  #pending: Payload[] = [];
  #pendingBytes = 0;
  #sent: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #resolveSent: () => void = () => {};

  /** `stream`: the TCP socket below the WebSocket. */
  constructor(
    socket: WebSocket,
    stream: Socket,
    { key, author, mergesDeltas }: Required<Pick<Viewer, "key" | "author" | "mergesDeltas">>,
  ) {
    this.#socket = socket;
    this.#stream = stream;
    this.key = key;
    this.author = author;
    this.mergesDeltas = mergesDeltas;
  }

  /** Payloads of one turn of the event loop become one message, because each message costs a system call. */
  send(message: Payload, hurry = false): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    this.#pending.push(message);
    this.#pendingBytes += lengthOf(message);
    if (this.#sent === undefined) {
      this.#sent = this.#last = new Promise((resolve) => {
        this.#resolveSent = resolve;
      });
      if (!hurry) setImmediate(() => this.#flush());
    }
    if (hurry) process.nextTick(() => this.#flush());
    return this.#sent;
  }

  buffered(): number {
    return this.#socket.bufferedAmount + this.#pendingBytes;
  }

  /** Resolves when all payloads so far were written to the system, or cannot be. */
  drained(): Promise<void> {
    return this.#last;
  }

  #flush(): void {
    if (this.#sent === undefined) return; // an earlier flush has sent everything
    const resolve = this.#resolveSent;
    const messages = this.#pendingBytes <= joinBytes ? [join(this.#pending)] : this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#sent = undefined;
    // Messages are sent in order, so the callback of the last one counts for all. After an error the socket's close event ends the
    // attachment.
    const last = messages.pop() ?? "";
    if (messages.length === 0 && this.#sendInOnePiece(last, resolve)) return;
    this.#stream.cork(); // one system call for all messages
    for (const message of messages) this.#sendOne(message);
    this.#sendOne(last, resolve);
    this.#stream.uncork();
  }

  /** Bypasses `ws`. Without compression `ws` sends synchronously, so it has no frame pending here. */
  #sendInOnePiece(message: Payload, sent: () => void): boolean {
    if (typeof message !== "string" && !(message instanceof Uint8Array)) return false;
    const frame = this.#socket.readyState === this.#socket.OPEN ? textFrame(message) : undefined;
    if (frame === undefined) return false;
    this.#stream.write(frame, sent);
    return true;
  }

  /** Pieces are sent as fragments of one message, so that large payloads need not be copied behind their header. */
  #sendOne(message: Payload, sent?: () => void): void {
    if (typeof message === "string" || message instanceof Uint8Array)
      return this.#socket.send(message, asText, sent);
    message.forEach((piece, index) => {
      const fin = index === message.length - 1;
      this.#socket.send(piece, { ...asText, fin }, fin ? sent : undefined);
    });
  }

  close(code: ErrorCode): void {
    this.#flush();
    closeSocket(this.#socket, code);
  }
}

function lengthOf(message: Payload): number {
  if (typeof message === "string" || message instanceof Uint8Array) return message.length;
  return message.reduce((sum, piece) => sum + piece.length, 0);
}

function join(messages: readonly Payload[]): Payload {
  const [only] = messages;
  if (messages.length === 1 && only !== undefined) return only;
  return messages.every((message) => typeof message === "string")
    ? messages.join("")
    : Buffer.concat(
        messages.flatMap((message) => (typeof message === "string" ? Buffer.from(message) : message)),
      );
}

export function closeSocket(socket: WebSocket, code: ErrorCode): void {
  const kind = errorTable[code];
  socket.close("close" in kind ? kind.close : 1011, kind.sentence);
  const timer = setTimeout(() => socket.terminate(), closeWaitMs);
  socket.once("close", () => clearTimeout(timer));
}
