// A reader of server-sent events as a viewer. Numbered frames become events whose id is their number; lines without a number become
// events that are named after their type. A reader that does not read is closed by its attachment, as a socket is.
import type { ServerResponse } from "node:http";
import { type Author, type ErrorCode, FramesLine, PatchbayError } from "@patchbay/protocol";
import type { Payload, Viewer } from "../session/viewers/viewer.ts";

/** Proxies drop connections that are idle for a minute. */
const heartbeatMs = 15_000;
/** How long the server waits for a reader to take the last events. */
const closeWaitMs = 5_000;
/** How soon a reader reconnects. */
const retryMs = 2_000;
/** Larger pieces are written as they are: copying them would cost more than a write. */
const copiedBytes = 64 * 1024;

const LF = 10;
const CR = 13;
const space = 32;
const endOfEvent = Buffer.from("\n\n");
/** How a header line begins: it numbers the lines after it. */
const framesStart = Buffer.from('{"type":"frames",');

/** After these a reader can go on from their number. */
const positions: ReadonlySet<string> = new Set(["snapshot", "caught_up"]);

export class EventStreamViewer implements Viewer {
  readonly key: string;
  readonly author: Author;
  readonly #response: ServerResponse;
  #isClosed = false;
  /** Those who wait until something has left this process: a write that is cut off never calls back. */
  readonly #unsent = new Set<() => void>();

  constructor(response: ServerResponse, { key, author }: Pick<Viewer, "key" | "author">) {
    this.#response = response;
    this.key = key;
    this.author = author;
    response.on("error", () => {}); // `close` follows
    response.write(`retry: ${retryMs}\n\n`);
    const heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    response.once("close", () => {
      clearInterval(heartbeat);
      for (const resolve of this.#unsent) resolve();
      this.#unsent.clear();
    });
  }

  send(message: Payload): Promise<void> {
    if (this.#isClosed || this.#response.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#unsent.add(resolve);
      this.#response.cork();
      for (const piece of joined(eventsOf(message))) this.#response.write(piece);
      this.#response.write("", () => {
        this.#unsent.delete(resolve);
        resolve();
      });
      this.#response.uncork();
    });
  }

  buffered(): number {
    return this.#response.writableLength;
  }

  /** The last event says why. */
  close(code: ErrorCode): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { error } = new PatchbayError(code).toBody();
    this.#response.end(`event: closed\ndata: ${JSON.stringify(error)}\n\n`);
    const timer = setTimeout(() => this.#response.destroy(), closeWaitMs);
    this.#response.once("close", () => clearTimeout(timer));
  }

  /** A comment keeps proxies from closing the stream. A peer that is gone is found by the system, which gets no acknowledgement for it. */
  #beat(): void {
    if (!this.#isClosed && this.#response.writableLength === 0) this.#response.write(": alive\n\n");
  }
}

/** The events of whole lines: a header and its frames, or lines without a number. Pieces may end within a line, but not within its head. */
function* eventsOf(message: Payload): Generator<Buffer> {
  let next = 0;
  let numbered = 0;
  let isInLine = false;
  for (const bytes of piecesOf(message)) {
    for (let start = 0; start < bytes.length; ) {
      const lf = bytes.indexOf(LF, start);
      const line = bytes.subarray(start, lf === -1 ? bytes.length : lf);
      start += line.length + 1;
      if (!isInLine && numbered === 0 && line.subarray(0, framesStart.length).equals(framesStart)) {
        const header = FramesLine.parse(JSON.parse(line.toString()));
        next = header.seq;
        numbered = header.count;
        continue;
      }
      if (!isInLine) yield Buffer.from(numbered > 0 ? `id: ${next}\ndata: ` : headOf(line));
      yield numbered > 0 ? withoutCr(line) : line;
      isInLine = lf === -1;
      if (isInLine) continue;
      yield endOfEvent;
      if (numbered === 0) continue;
      numbered--;
      next++;
    }
  }
}

function piecesOf(message: Payload): readonly Buffer[] {
  if (typeof message === "string") return [Buffer.from(message)];
  const pieces = message instanceof Uint8Array ? [message] : message;
  return pieces.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
}

/** Small parts as few large ones, because each write costs. */
function* joined(parts: Iterable<Buffer>): Generator<Buffer> {
  let small: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (part.length <= copiedBytes) {
      small.push(part);
      bytes += part.length;
    }
    if (bytes > copiedBytes || (part.length > copiedBytes && bytes > 0)) {
      yield Buffer.concat(small, bytes);
      small = [];
      bytes = 0;
    }
    if (part.length > copiedBytes) yield part;
  }
  if (bytes > 0) yield Buffer.concat(small, bytes);
}

/** A line of the server's own, whose type comes first. */
function headOf(line: Buffer): string {
  const [, type = "", seq = ""] =
    /^\{"type":"(\w+)"(?:,"seq":(\d+))?/.exec(line.toString("latin1", 0, 80)) ?? [];
  return `event: ${type}\n${positions.has(type) ? `id: ${seq}\n` : ""}data: `;
}

/** A worker may write CR between the tokens of a frame, where it means as much as a space. In an event it would end the line. */
function withoutCr(line: Buffer): Buffer {
  return line.includes(CR) ? Buffer.from(line.map((byte) => (byte === CR ? space : byte))) : line;
}
