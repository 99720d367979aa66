// A reader of server-sent events as a viewer. Numbered frames become events whose id is their number; lines without a number become
// events that are named after their type. A reader that does not read is closed by its attachment, as a socket is.
import type { ServerResponse } from "node:http";
import { type AnsweredBy, type ErrorCode, FramesLine, PatchbayError } from "@patchbay/protocol";
import type { Payload, Viewer } from "../session/viewers/viewer.ts";

/** Proxies drop connections that are idle for a minute. */
const heartbeatMs = 15_000;
/** How long the server waits for a reader to take the last events. */
const closeWaitMs = 5_000;
/** How soon a reader reconnects. */
const retryMs = 2_000;

const LF = 10;
const CR = 13;
const space = 32;
/** How a header line begins: it numbers the lines after it. */
const framesStart = Buffer.from('{"type":"frames",');

/** After these a reader can go on from their number. */
const positions: ReadonlySet<string> = new Set(["snapshot", "caught_up"]);

export class EventStreamViewer implements Viewer {
  readonly key: string;
  readonly person: AnsweredBy;
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  /** What had not left this process at the last heartbeat. */
  #stuck = false;
  #isClosed = false;
  /** Those who wait until something has left this process. */
  readonly #unsent = new Set<() => void>();

  constructor(response: ServerResponse, { key, person }: Pick<Viewer, "key" | "person">) {
    this.#response = response;
    this.key = key;
    this.person = person;
    response.on("error", () => {}); // `close` follows
    response.write(`retry: ${retryMs}\n\n`);
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    this.onClose(() => {
      clearInterval(this.#heartbeat);
      for (const resolve of this.#unsent) resolve();
    });
  }

  onClose(closed: () => void): void {
    if (this.#response.destroyed) closed();
    else this.#response.once("close", closed);
  }

  send(message: Payload): Promise<void> {
    if (this.#isClosed || this.#response.destroyed) return Promise.resolve();
    const events = eventsOf(bytesOf(message));
    return new Promise((resolve) => {
      this.#unsent.add(resolve);
      this.#response.write(events, () => {
        this.#unsent.delete(resolve);
        resolve();
      });
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
    this.onClose(() => clearTimeout(timer));
  }

  /** A comment, which keeps proxies from closing the stream. Ends a stream whose peer is gone: nothing was taken since the last one. */
  #beat(): void {
    const isStuck = this.#response.writableLength > 0;
    if (isStuck && this.#stuck) return void this.#response.destroy();
    this.#stuck = isStuck;
    if (!this.#isClosed && !isStuck) this.#response.write(": alive\n\n");
  }
}

function bytesOf(message: Payload): Buffer {
  if (typeof message === "string") return Buffer.from(message);
  if (message instanceof Uint8Array)
    return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  return Buffer.concat(message);
}

/** One payload holds whole lines: a header and its frames, or lines without a number. */
function eventsOf(lines: Buffer): Buffer {
  const parts: Buffer[] = [];
  let next = 0;
  let numbered = 0;
  for (let start = 0; start < lines.length; ) {
    const lf = lines.indexOf(LF, start);
    const end = lf === -1 ? lines.length : lf;
    const line = lines.subarray(start, end);
    start = end + 1;
    if (numbered > 0) {
      parts.push(Buffer.from(`id: ${next}\ndata: `), withoutCr(line), Buffer.from("\n\n"));
      next++;
      numbered--;
    } else if (line.subarray(0, framesStart.length).equals(framesStart)) {
      const header = FramesLine.parse(JSON.parse(line.toString()));
      next = header.seq;
      numbered = header.count;
    } else if (line.length > 0) parts.push(Buffer.from(headOf(line)), line, Buffer.from("\n\n"));
  }
  return Buffer.concat(parts);
}

/** A line of the server's own, whose type comes first. */
function headOf(line: Buffer): string {
  const type = /^\{"type":"(\w+)"/.exec(line.toString("latin1", 0, 60))?.[1] ?? "";
  if (!positions.has(type)) return `event: ${type}\ndata: `;
  const seq = /^\{"type":"\w+","seq":(\d+)/.exec(line.toString("latin1", 0, 60))?.[1] ?? "";
  return `event: ${type}\nid: ${seq}\ndata: `;
}

/** A worker may write CR between the tokens of a frame, where it means as much as a space. In an event it would end the line. */
function withoutCr(line: Buffer): Buffer {
  if (!line.includes(CR)) return line;
  return Buffer.from(line.map((byte) => (byte === CR ? space : byte)));
}
