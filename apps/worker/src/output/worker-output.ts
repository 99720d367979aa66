// Writes frames to stdout: many lines in one write per tick, because a write per delta would cost a
// system call each. A producer of many frames awaits `ready()`, which is the backpressure.
import type { Writable } from "node:stream";
import type { Response, WorkerEvent } from "@patchbay/protocol";

export interface WorkerOutput {
  write(frame: WorkerEvent | Response): void;
  /** Await it before producing more. */
  ready(): Promise<void> | undefined;
}

export class FrameOutput implements WorkerOutput {
  readonly #stream: Writable;
  #lines: string[] = [];
  #chars = 0;
  #scheduled = false;
  #congested: Promise<void> | null = null;
  #broken = false;

  constructor(stream: Writable, onBroken: () => void) {
    this.#stream = stream;
    stream.on("error", () => {
      // The reader is gone. The pending `drain` will never come, so waiting must end.
      this.#broken = true;
      stream.emit("drain");
      onBroken();
    });
  }

  /** `type` must be the frame's first field: the server recognises deltas by the first bytes of the line. */
  write(frame: WorkerEvent | Response): void {
    if (this.#broken) return;
    const line = `${JSON.stringify(frame)}\n`;
    this.#lines.push(line);
    this.#chars += line.length;
    if (this.#chars >= batchChars) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    }
  }

  /** Resolves when the reader keeps up; at once while it does. */
  ready(): Promise<void> | undefined {
    return this.#congested ?? undefined;
  }

  /** Resolves when everything written so far has left the process. */
  async flushed(): Promise<void> {
    this.#flush();
    if (this.#broken) return;
    await new Promise<void>((resolve) => {
      this.#stream.once("error", () => resolve());
      this.#stream.write("", () => resolve());
    });
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#lines.length === 0) return;
    const batch = this.#lines.join("");
    this.#lines = [];
    this.#chars = 0;
    if (this.#broken || this.#stream.write(batch)) return;
    this.#congested ??= new Promise((resolve) => {
      this.#stream.once("drain", () => {
        this.#congested = null;
        resolve();
      });
    });
  }
}

/** A producer that never yields to the event loop must not collect lines without end. */
const batchChars = 256 * 1024;
