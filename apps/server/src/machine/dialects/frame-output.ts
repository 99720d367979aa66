// Where frames and responses of ours leave.
import type { WorkerBound } from "./dialect.ts";

export type OwnFrame = { type: string } & Record<string, unknown>;

const encoder = new TextEncoder();

export class Outlet {
  readonly #emit: (lines: Uint8Array) => void;

  constructor(emit: (lines: Uint8Array) => void) {
    this.#emit = emit;
  }

  frame(...frames: OwnFrame[]): void {
    this.#emit(encoder.encode(frames.map((frame) => `${JSON.stringify(frame)}\n`).join("")));
  }

  /** A line that is no message: shown to nobody, kept in the server's log. */
  noise(line: string): void {
    this.#emit(encoder.encode(`not a message: ${line.replaceAll("\n", " ")}\n`));
  }

  succeed(command: WorkerBound, data?: object): void {
    this.frame({ ...envelope(command), success: true, ...(data === undefined ? {} : { data }) });
  }

  refuse(command: WorkerBound, error: string): void {
    this.frame({ ...envelope(command), success: false, error });
  }
}

const envelope = (command: WorkerBound): OwnFrame => ({
  type: "response",
  command: command.type,
  ...(typeof command["id"] === "string" ? { id: command["id"] } : {}),
});
