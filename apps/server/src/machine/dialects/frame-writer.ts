// Writes the frames and responses of a translation as lines of our protocol. Everything that is written during a batch
// leaves as one run, so that the server handles one read of the worker's output at once.
import type { Response, ServerEvent, WorkerEvent } from "@patchbay/protocol";

export type OutputFrame = { type: string } & Record<string, unknown>;

/** Takes only frames that the protocol knows. The server's own `cleared` is among them. */
export type TypedFrameWriter = FrameWriter<(WorkerEvent | ServerEvent) & Record<string, unknown>>;

const LF = Buffer.from("\n");

export class FrameWriter<F extends OutputFrame = OutputFrame> {
  readonly #emit: (lines: Uint8Array) => void;
  #lines: Uint8Array[] = [];
  /** Batches can be nested; the outermost one flushes. */
  #openBatches = 0;

  constructor(emit: (lines: Uint8Array) => void) {
    this.#emit = emit;
  }

  frame(...frames: F[]): void {
    this.batch(() => {
      for (const frame of frames) this.line(Buffer.from(JSON.stringify(frame)));
    });
  }

  respond(command: { type: string; id?: unknown }, result: { data?: unknown } | { error: string }): void {
    const response: Response = {
      type: "response",
      command: command.type,
      success: !("error" in result),
      ...(typeof command.id === "string" ? { id: command.id } : {}),
      ...result,
    };
    this.line(Buffer.from(JSON.stringify(response)));
  }

  /** A line that is no message. Viewers do not see it; the server writes it to its own log. */
  noise(line: string): void {
    this.line(Buffer.from(`not a message: ${line.replaceAll("\n", " ")}`));
  }

  /** One line in pieces, without LF. */
  line(...pieces: Uint8Array[]): void {
    this.#lines.push(...pieces, LF);
    if (this.#openBatches === 0) this.#flush();
  }

  batch(write: () => void): void {
    this.#openBatches++;
    try {
      write();
    } finally {
      this.#openBatches--;
      if (this.#openBatches === 0) this.#flush();
    }
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const run = Buffer.concat(this.#lines);
    this.#lines = [];
    this.#emit(run);
  }
}
