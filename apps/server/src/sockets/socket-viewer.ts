// A WebSocket as a viewer. Buffers are sent as text messages without being decoded.

import type { Socket } from "node:net";
import type { WebSocket } from "@fastify/websocket";
import { type ErrorCode, errorTable } from "@patchbay/protocol";
import { textFrame } from "../fast-io/text-frame.ts";
import type { Payload, Viewer } from "../session/viewers/viewer.ts";

/** After the close frame; a peer that does not read would otherwise keep its buffers alive. */
const closeWaitMs = 5_000;

const asText = { binary: false } as const;

/** More than this is not copied once more only to save a system call. */
const joinBytes = 64 * 1024;

export class SocketViewer implements Viewer {
  readonly key: string;
  readonly #socket: WebSocket;
  readonly #stream: Socket;
  #said: Payload[] = [];
  #saidBytes = 0;
  #sent: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  #resolveSent: () => void = () => {};

  /** `stream` is what carries the WebSocket. */
  constructor(socket: WebSocket, stream: Socket, key: string) {
    this.#socket = socket;
    this.#stream = stream;
    this.key = key;
  }

  /** What is said in one turn of the event loop becomes one message: a message costs a system call. */
  send(message: Payload, hurry = false): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    this.#said.push(message);
    this.#saidBytes += lengthOf(message);
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
    const last = messages.pop() ?? "";
    if (messages.length === 0 && this.#sendInOnePiece(last, resolve)) return;
    this.#stream.cork(); // all of it in one system call
    for (const message of messages) this.#sendOne(message);
    this.#sendOne(last, resolve);
    this.#stream.uncork();
  }

  /** Past `ws`, which has nothing under way here: without compression it sends at once. */
  #sendInOnePiece(message: Payload, sent: () => void): boolean {
    if (typeof message !== "string" && !(message instanceof Uint8Array)) return false;
    const frame = this.#socket.readyState === this.#socket.OPEN ? textFrame(message) : undefined;
    if (frame === undefined) return false;
    this.#stream.write(frame, sent);
    return true;
  }

  /** Pieces go as the fragments of one message: nothing is copied to put a header before a flood. */
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
