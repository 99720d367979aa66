// Our side of the translation: frames and responses of ours as lines, those of one read in one run.
import type { Response, ServerEvent, WorkerEvent } from "@patchbay/protocol";

/** Anything that our protocol knows; the server's own `cleared` among it. */
type OwnFrame = (WorkerEvent | ServerEvent) & Record<string, unknown>;

const LF = Buffer.from("\n");

export class Outlet {
  readonly #emit: (lines: Uint8Array) => void;
  #lines: Uint8Array[] = [];
  #batches = 0;

  constructor(emit: (lines: Uint8Array) => void) {
    this.#emit = emit;
  }

  frame(frame: OwnFrame): void {
    this.line(Buffer.from(JSON.stringify(frame)));
  }

  respond(to: { type: string; id?: unknown }, result: { data?: unknown } | { error: string }): void {
    const response: Response = {
      type: "response",
      command: to.type,
      success: !("error" in result),
      ...(typeof to.id === "string" ? { id: to.id } : {}),
      ...result,
    };
    this.line(Buffer.from(JSON.stringify(response)));
  }

  /** One line in pieces, without LF. */
  line(...pieces: Uint8Array[]): void {
    this.#lines.push(...pieces, LF);
    if (this.#batches === 0) this.#flush();
  }

  /** What is said meanwhile leaves as one run. */
  batch(say: () => void): void {
    this.#batches++;
    try {
      say();
    } finally {
      this.#batches--;
      if (this.#batches === 0) this.#flush();
    }
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const run = Buffer.concat(this.#lines);
    this.#lines = [];
    this.#emit(run);
  }
}
