// A viewer for tests: attaches to a session socket, checks the number of every frame, folds frames as the page does, and lets a test
// await what it needs.
import { randomUUID } from "node:crypto";
import {
  emptyTranscript,
  foldTranscript,
  type Response,
  readFrame,
  type SessionInfo,
  SnapshotLine,
  type Transcript,
} from "@patchbay/protocol";
import WebSocket from "ws";

type Line = Record<string, unknown> & { type: string };

export interface ViewerOptions {
  since?: number;
  viewer?: string;
  headers?: Record<string, string>;
  /** Subprotocols, as a page offers them. */
  protocols?: string[];
  /** Continues from the state of another viewer with the same frames. */
  transcript?: Transcript;
}

export class TestViewer implements AsyncDisposable {
  readonly key: string;
  /** Raw text of every numbered frame, in order; `frames[0]` has the number `firstSeq`. */
  readonly frames: string[] = [];
  /** Lines without a number. */
  readonly lines: Line[] = [];
  transcript: Transcript;
  seq = 0;
  closed: { code: number; reason: string } | undefined;
  readonly #socket: WebSocket;
  #changed: (() => void)[] = [];
  #keepFrames = true;
  /** The line with the last awaited state. */
  #stateSeen = -1;

  constructor(url: string, token: string, session: string, options: ViewerOptions = {}) {
    this.key = options.viewer ?? randomUUID();
    this.transcript = options.transcript ?? emptyTranscript;
    const address = new URL(`/api/sessions/${session}/socket`, url.replace("http", "ws"));
    address.searchParams.set("viewer", this.key);
    if (options.since !== undefined) address.searchParams.set("since", String(options.since));
    this.seq = options.since ?? 0;
    this.#socket = new WebSocket(address, options.protocols ?? [], {
      headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), ...options.headers },
      maxPayload: 256 * 1024 * 1024,
    });
    this.#socket.on("message", (data, isBinary) => {
      if (isBinary) throw new Error("a WebSocket message must be text");
      this.#read(Buffer.isBuffer(data) ? data.toString() : "");
      this.#wake();
    });
    this.#socket.on("close", (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
    this.#socket.on("error", () => {}); // `closed` settles
  }

  /** For floods: counts and checks frames, but does not keep or fold them. */
  countOnly(): this {
    this.#keepFrames = false;
    return this;
  }

  send(command: object | string): void {
    this.#socket.send(typeof command === "string" ? command : `${JSON.stringify(command)}\n`);
  }

  /** Sends a command and awaits its response. */
  async ask(command: object): Promise<Response> {
    const id = "id" in command ? String(command.id) : randomUUID();
    this.send({ id, ...command });
    return this.response(id);
  }

  async response(id: string): Promise<Response> {
    const line = await this.line((candidate) => candidate.type === "response" && candidate["id"] === id);
    return line as unknown as Response;
  }

  async line(matches: (line: Line) => boolean): Promise<Line> {
    await this.until(() => this.lines.some(matches));
    return this.lines.find(matches) as Line;
  }

  /** Resolves when an `attached` or `session` line has one of the states, or had it since the last await: a short state may come in
   * the same message as the next one. `idle` must be the current state. */
  async state(...states: SessionInfo["state"][]): Promise<SessionInfo> {
    const isWanted = (line: Line | undefined): boolean =>
      states.includes((line?.["session"] as SessionInfo | undefined)?.state as SessionInfo["state"]);
    let found = -1;
    await this.until(() => {
      const last = this.lines.findLastIndex((line) => line["session"] !== undefined);
      found =
        isWanted(this.lines[last]) || states.includes("idle")
          ? last
          : this.lines.findIndex((line, index) => index > this.#stateSeen && isWanted(line));
      return isWanted(this.lines[found]);
    });
    this.#stateSeen = Math.max(found, this.#stateSeen);
    return this.lines[found]?.["session"] as SessionInfo;
  }

  get session(): SessionInfo | undefined {
    return this.lines.findLast((line) => line["session"] !== undefined)?.["session"] as
      | SessionInfo
      | undefined;
  }

  caughtUp(): Promise<Line> {
    return this.line((line) => line.type === "caught_up");
  }

  /** Resolves when the condition holds; rejects when the socket closes before it does. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.closed !== undefined) throw new Error(`the socket closed: ${JSON.stringify(this.closed)}`);
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.untilClosed();
  }

  /** Ends the socket without a closing handshake, as a lost network does. */
  cut(): void {
    this.#socket.terminate();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  async untilClosed(): Promise<{ code: number; reason: string }> {
    while (this.closed === undefined) await new Promise<void>((resolve) => this.#changed.push(resolve));
    return this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed === undefined) await this.close();
  }

  #read(message: string): void {
    if (!message.endsWith("\n")) throw new Error("a message must consist of whole lines");
    const lines = message.slice(0, -1).split("\n");
    for (let at = 0; at < lines.length; ) {
      const text = lines[at++] ?? "";
      const line = JSON.parse(text) as Line;
      if (line.type !== "frames") {
        this.lines.push(line);
        if (line.type === "snapshot") this.#start(line);
        continue;
      }
      const { seq, count } = line as unknown as { seq: number; count: number };
      if (seq !== this.seq + 1) throw new Error(`frame ${this.seq + 1} expected, ${seq} came`);
      if (at + count > lines.length) throw new Error("a header and its frames must be in one message");
      if (this.#keepFrames) for (const frame of lines.slice(at, at + count)) this.#take(frame);
      this.seq += count;
      at += count;
    }
  }

  #start(line: Line): void {
    const { seq, type: _type, ...transcript } = SnapshotLine.parse(line);
    this.seq = seq;
    this.transcript = transcript;
  }

  #take(text: string): void {
    this.frames.push(text);
    const reading = readFrame(text);
    if (reading.kind === "frame") this.transcript = foldTranscript(this.transcript, reading.frame);
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resolve of waiting) resolve();
  }
}
