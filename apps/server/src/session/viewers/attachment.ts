// One viewer's position in the log. It is either live (frames are pushed as they are shown) or behind
// (it pulls from the log at its own pace), so a slow viewer costs a bounded buffer and does not slow others.
import type { FramesLine } from "@patchbay/protocol";
import type { Limits } from "../../config/config-file.ts";
import type { Journal } from "../log/journal.ts";
import { type Payload, sendLine, type Viewer } from "./viewer.ts";

/** One WebSocket message while catching up: large enough to be quick, small enough to be bounded. */
const pullBytes = 256 * 1024;

/** The state of something: the session, its queue, its viewers. Each line replaces the last of its type. */
export type StateLine = { type: string; [field: string]: unknown };

export class Attachment {
  readonly viewer: Viewer;
  readonly #journal: Journal;
  readonly #limits: Limits;
  #state: "new" | "behind" | "live" | "closed" = "new";
  /** The last frame this viewer was sent. */
  #seq = 0;
  /** Sent when the viewer has caught up: only the newest line of each type, since each holds the whole state. */
  #pendingLines = new Map<string, StateLine>();

  constructor(viewer: Viewer, journal: Journal, limits: Limits) {
    this.viewer = viewer;
    this.#journal = journal;
    this.#limits = limits;
  }

  get seq(): number {
    return this.#seq;
  }

  /**
   * Sends frames; `message` is their header and lines, the same bytes for every viewer. If it returns a promise, the bytes
   * are needed until it resolves.
   */
  push(seq: number, count: number, message: Payload): Promise<void> | undefined {
    const last = seq + count - 1;
    if (this.#state !== "live" || last <= this.#seq) return undefined; // not live, or it read them from the log already
    const isNext = seq === this.#seq + 1;
    if (!isNext || this.viewer.buffered() > this.#limits.viewer_buffer_bytes) {
      this.#state = "behind";
      void this.#catchUp(); // owns its errors: see there
      return undefined;
    }
    this.#seq = last;
    return this.viewer.send(message); // one that fails has a close event of its own
  }

  /** Sends a line without a number; while the viewer is behind, it waits and replaces the last of its type. */
  sendState(line: StateLine): void {
    if (this.#state === "new" || this.#state === "closed") return;
    if (this.#state === "live" && this.viewer.buffered() <= this.#limits.viewer_buffer_bytes) {
      return sendLine(this.viewer, line);
    }
    this.#pendingLines.set(line.type, line);
    if (this.#state === "behind") return;
    this.#state = "behind";
    void this.#catchUp(); // owns its errors: see there
  }

  /** Everything after `since` is sent from here on. Resolves when it has caught up. */
  async begin(since: number): Promise<void> {
    if (this.#state !== "new") return;
    this.#seq = since;
    this.#state = "behind";
    await this.#catchUp();
  }

  /** Sends from the log until there is nothing left to send, and goes live. Never rejects. */
  async #catchUp(): Promise<void> {
    try {
      while (this.#state === "behind") {
        if (this.#seq >= this.#journal.shownSeq) {
          if (this.#pendingLines.size === 0) {
            this.#state = "live";
            return;
          }
          const pending = [...this.#pendingLines.values()].map((line) => `${JSON.stringify(line)}\n`);
          this.#pendingLines.clear();
          if (!(await this.#sentInTime(this.viewer.send(pending.join(""))))) return this.#disconnect();
          continue;
        }
        const chunks = await this.#journal.read(this.#seq, pullBytes);
        const [first] = chunks;
        if (first?.seq !== this.#seq + 1) return this.#disconnect();
        const count = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
        const parts = chunks.map(({ bytes }) => bytes);
        const sent = this.viewer.send(framesMessage(first.seq, count, parts));
        this.#seq += count;
        if (!(await this.#sentInTime(sent))) return this.#disconnect();
      }
    } catch {
      this.#disconnect(); // the log could not be read; the viewer reconnects, and the next attach shows the error
    }
  }

  close(): void {
    this.#state = "closed";
    this.#pendingLines.clear();
  }

  #disconnect(): void {
    this.#state = "closed";
    this.viewer.close("too_slow");
  }

  async #sentInTime(sent: Promise<void>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const stalled = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#limits.viewer_stall_ms);
    });
    try {
      return await Promise.race([sent.then(() => true), stalled]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Larger messages are sent in pieces: copying them would cost more. */
const copiedBytes = 16 * 1024;

/** A header line and the frames it numbers, in one message. */
export function framesMessage(seq: number, count: number, parts: readonly Uint8Array[]): Payload {
  const line: FramesLine = { type: "frames", seq, count };
  const pieces = [Buffer.from(`${JSON.stringify(line)}\n`), ...parts];
  const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return bytes <= copiedBytes ? Buffer.concat(pieces, bytes) : pieces;
}
